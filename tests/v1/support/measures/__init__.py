"""What scorers' numbers over a run have to be, computed apart from the reports.

The reports and `tests/frozen` are compared with these, which go through the values of
each score. Every epoch counts as it is; intervals are clustered by item.
"""
