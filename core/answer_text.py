"""An answer's text without differences of spelling that make no other answer."""

import re
import unicodedata

_SPECIAL = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′ʼ`´", "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("\u200b\u2060\ufeff\u00ad"),
        **{"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i"},
        **{"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ð": "d", "Ð": "D"},
        **{"þ": "th", "Þ": "Th", "ß": "ss", "×": "x", "⁄": "/", "&": " and ", "_": " "},
    }
)
_ACCENT = re.compile("[\u0300-\u036f]")
# NFKC makes them plain digits: 2½ and 10² would be 21/2 and 102.
_RAISED = re.compile("(?<=[0-9])(?=[⁰¹²³⁴-⁹₀-₉½¼¾⅐-⅞])")
_GROUPS = re.compile(
    "(?<![0-9.,:])[0-9]{1,3}(?:[ \u00a0\u2009\u202f][0-9]{3}){1,4}+(?![0-9])"
)
_DOTTED = re.compile(r"(?<=[^\W\d_])\.(?=[^\W\d_])")
_INITIALS = re.compile(r"(?<![^\W_])(?:[^\W\d_]\.\s?+){2,}+")
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")
_ARTICLE = re.compile(r"(?<![^\s'\"(])(?:[Tt]he|THE|an?|\AAn?)\s(?=[^\W_])")


def unified(answer: str) -> str:
    """An answer with what does not tell answers apart made one; its case stays.

    - compatibility characters are plain ones (NFKC: "５" is "5"), as are quotation
      marks, dashes, the minus sign and "×"; "&" is "and"; a run of white space is one
      space, and none between a number's groups of three digits ("10 000");
    - Latin, Greek and Cyrillic letters have no accents ("Sandström" is "Sandstrom",
      "Łódź" is "Lodz"); other scripts keep their marks ("が" is not "か");
    - initials are one word ("J. R. R. Tolkien" is "JRR Tolkien", "U.S." is "US"), and
      apostrophes inside words are gone ("O'Brien" is "OBrien");
    - articles before a word are gone: "the", and "a" or "an" in lower case or as the
      answer's first word (SQuAD). "A. Milne", "Vitamin A" and "plan A works" keep them.
    """
    text = _RAISED.sub(" ", _GROUPS.sub(lambda n: "".join(n[0].split()), answer))
    text = unicodedata.normalize("NFKC", text).translate(_SPECIAL)
    text = _ACCENT.sub("", unicodedata.normalize("NFD", text))
    text = " ".join(unicodedata.normalize("NFC", text).split())
    text = _INITIALS.sub(_joined, _DOTTED.sub("", text))
    return _ARTICLE.sub("", _APOSTROPHE.sub("", text))


def _joined(initials: re.Match[str]) -> str:
    return "".join(c for c in initials[0] if c.isalpha()) + " "
