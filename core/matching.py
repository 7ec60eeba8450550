"""Whether two answers in words are the same, and whether one is right.

SR-DCR scores by equality of strings, which is what "strict" means in this suite.
"Normalised" is what this module does. It follows SQuAD's normalisation and, like
ClashEval's code, takes numbers by value, times in seconds and names by their parts.
"""

from functools import lru_cache
from itertools import islice

from inspect_debate.core.answer_text import unified
from inspect_debate.core.name_parts import fuller_name
from inspect_debate.core.quantities import Quantity, items


@lru_cache(maxsize=512)  # every draw of a sample is compared with the same answer
def canonical(answer: str) -> str:
    """The form in which answers are compared; those that are the same have the same.

    - Text as by `unified` (accents, initials, articles), in lower case, without
      punctuation: "The Beatles!" is "beatles". Symbols stay: "<5" is not "5".
    - Numbers by value: "1,000" is "1000.0"; up to ninety-nine in words: "four" is "4";
      with hundred to trillion: "$2.5 million" is "2,500,000 dollars". A minus counts
      ("-5", "minus 5"), "10-15" is "10 to 15". What is no plain number stays as it is
      ("1,5", "1/2", "1.2.3", "21st", the "1980s").
    - Units: "4g" is "4 grams", "62%" is "62 per cent", "10 mg/kg" is "10 mg per kg";
      mass, volume, length and time convert: "400 mg" is "0.4 g". "m" is metres. A
      number without its unit is another answer ("9.58", "9.58 s"), see `right_answer`.
    - Times are seconds: "2:01:09" is "2 h 1 min 9 s" is "7269 seconds". Two parts are
      minutes and seconds, as ClashEval reads them.
    """
    plain = unified(answer)
    return " ".join(map(str, items(plain))) or plain.lower()


def same_answer(a: str, b: str) -> bool:
    """Whether two answers are the same but for how they are written.

    An equivalence: it is the equality of their canonical forms.
    """
    return canonical(a) == canonical(b)


def right_answer(given: str, gold: str) -> bool:
    """Whether an answer agrees with the right one; lenient where that is safe.

    It does if it is the same answer; if both are one number of the same value, as they
    are written, and only one of them has a unit ("400" or "400 mg" for "400 mg" or
    "400": ClashEval's questions name the unit, and its answers leave it out); or if it
    is the name with a title, in another order or with middle names (`fuller_name`).
    """
    return (
        same_answer(given, gold)
        or _same_number(given, gold)
        or fuller_name(given, gold)
    )


def _same_number(given: str, gold: str) -> bool:
    one, other = _number(given), _number(gold)
    if one is None or other is None:
        return False
    return one.value == other.value and one.bare != other.bare


def _number(answer: str) -> Quantity | None:
    """The quantity that is all of the answer, if one is."""
    match list(islice(items(unified(answer)), 2)):
        case [Quantity() as alone]:
            return alone
    return None
