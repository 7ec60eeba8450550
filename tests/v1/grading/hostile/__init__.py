"""Solutions that want to pass without being right, by what they try."""

from tests.v1.grading.hostile import (
    endings,
    guards,
    insides,
    known,
    loading,
    patches,
    places,
    reports,
    values,
)

FAILING = {
    **endings.SOLUTIONS,
    **guards.SOLUTIONS,
    **insides.SOLUTIONS,
    **loading.SOLUTIONS,
    **patches.SOLUTIONS,
    **places.SOLUTIONS,
    **reports.SOLUTIONS,
    **values.SOLUTIONS,
}
ENDLESS = endings.TIMEOUTS
KILLERS = places.KILLERS
OPEN = known.OPEN
