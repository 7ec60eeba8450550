import pytest

from inspect_debate.debate.parsing import stated_confidence
from inspect_debate.debate.record import Parsed, Status


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("Conf: 0.8", 0.8),
        ("Conf: .8", 0.8),
        ("conf: 1", 1.0),
        ("Conf: 1.0", 1.0),
        ("Conf: 0", 0.0),
        ("Conf: 80%", 0.8),
        ("Conf: 80 percent", 0.8),
        ("Conf: 100%", 1.0),
        ("Conf: 0.8%", 0.008),
        ("**Confidence:** 0.75", 0.75),
        ("- **Conf: [0.8]**", 0.8),
        ("Final confidence: ~0.6", 0.6),
        ("Conf:\n0.3", 0.3),
        ("Conf: 0.2\nConf: 0.9", 0.9),
        ("Conf: 0.8 - reason", 0.8),
        ("Conf: 0.8 because 3 checks passed", 0.8),
        ("Conf: 0.8 - 3 checks passed", 0.8),
        ("Conf: 0.8, 3 checks passed", 0.8),
        ("Conf: 0.8. 3 checks passed", 0.8),
        ("Conf: 0.8 (3 of 4 checks)", 0.8),
        ("Conf: 0.8; 2 open points", 0.8),
        ("Conf: 1.", 1.0),
        ("Conf: 0.7-0.9", None),
        ("Conf: 0.7 – 0.9 because", None),
        ("Conf: 0 - 1 because", None),
        ("Conf: 0 - 1 as asked", None),
        ("Conf: 0-1", None),
        ("Conf: [0-1] - reason", None),
        ("Conf: 0.7 to 0.9", None),
        ("Conf: 0.7 or 0.9", None),
        ("Conf: 70%-80%", None),
        ("Conf: 0.8 ± 0.1", None),
        ("Conf: 0.8 .9", None),
        ("Conf: 1/2", None),
        ("Conf: ½", None),
        ("Conf: 1 out of 10", None),
        ("Conf: 0,8", None),
        ("Conf: 0.8.1", None),
        ("Conf: 1e-1", None),
        ("Conf: -0.5", None),
        ("Conf: >0.9", None),
        ("Conf: 1.2", None),
        ("Conf: 80", None),
        ("Conf: 101%", None),
        ("Conf: high", None),
        ("Conf: high, 0.9", None),
        ("Conf: 0.9\nConf: high", None),
        ("Conf:", None),
        ("0.8", None),
    ],
)
def test_stated_confidence(line: str, value: float | None) -> None:
    result = stated_confidence(f"Final: 1 error\n{line}")
    assert result.status == (Status.UNPARSED if value is None else Status.OK)
    assert result.value == (None if value is None else pytest.approx(value))


def test_stated_confidence_under_another_keyword() -> None:
    assert stated_confidence("Prob: 0.4", "Prob") == Parsed.ok(0.4)
    assert stated_confidence("Prob: 0.4") == Parsed.unparsed()
