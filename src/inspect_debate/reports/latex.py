"""Tables as LaTeX, for papers: by booktabs, with the values as the page has them."""

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from inspect_debate.reports.elements import Block, Span, Table, blocks
from inspect_debate.reports.tables import Body, Layout, Shown, laid_out, widths

PACKAGES = "array,booktabs,graphicx,longtable"
"""What a document needs that has these tables, beside T1 as its font encoding."""

_LONG = 40
"""Rows from which on a table may go over several pages."""
_PAGE = 88
"""Characters of the size of footnotes that stand side by side."""
_NARROWEST = 16
"""Characters that a column of text keeps."""
_HEADER = 14
"""Characters of a column's name that stand in one line."""
_GAP = 2
"""Characters between two columns."""
_EM = 0.5
"""The width of a character, in em."""


@dataclass(frozen=True)
class _Column:
    """A column: its name, and of how many characters its longest line is."""

    name: str
    numeric: bool
    width: int
    wraps: bool = False

    @property
    def kind(self) -> str:
        return _wrapping(self.width) if self.wraps else "r" if self.numeric else "l"


def latex_table(table: Table) -> str:
    """One table with its caption, a label `tab:NAME`, and what stands below it.

    Long texts are wrapped; what is too wide for a page even so is made smaller, and
    what has many rows goes over several pages.
    """
    layout = laid_out(table)
    columns = _fitted(list(_columns(layout)))
    caption = rf"\caption{{{escaped(table.title)}}}\label{{tab:{table.name}}}"
    rest = [] if sum(len(body.rows) for body in layout.bodies) else [layout.rest]
    notes = "\n\n".join([*paragraphs(table.note), *rest, *_footnotes(layout)])
    write = _long if sum(len(body.rows) for body in layout.bodies) > _LONG else _float
    needs = rf"% Needs \usepackage[T1]{{fontenc}} and \usepackage{{{PACKAGES}}}."
    return "\n".join([needs, *write(layout, columns, caption, notes), ""])


def _float(
    layout: Layout, columns: Sequence[_Column], caption: str, notes: str
) -> Iterator[str]:
    wide = _total(columns) > _PAGE
    yield from (r"\begin{table}", r"\centering\footnotesize", caption)
    yield from [r"\resizebox{\linewidth}{!}{%"] * wide
    yield rf"\begin{{tabular}}{{{''.join(column.kind for column in columns)}}}"
    yield from (*_header(layout, columns), *_rows(layout, columns), r"\bottomrule")
    yield r"\end{tabular}" + "}" * wide
    if notes:
        yield from (r"\par\medskip\begin{minipage}{\linewidth}\footnotesize", notes)
        yield r"\end{minipage}"
    yield r"\end{table}"


def _long(
    layout: Layout, columns: Sequence[_Column], caption: str, notes: str
) -> Iterator[str]:
    size = "scriptsize" if _total(columns) > _PAGE else "footnotesize"
    header = list(_header(layout, columns))
    yield rf"{{\{size}\setlength{{\LTcapwidth}}{{\linewidth}}"
    yield rf"\begin{{longtable}}{{{''.join(column.kind for column in columns)}}}"
    yield from (rf"{caption} \\", *header, r"\endfirsthead", *header, r"\endhead")
    yield from (r"\bottomrule", r"\endfoot", *_rows(layout, columns))
    yield from (r"\end{longtable}", notes, r"\par}")


def _columns(layout: Layout) -> Iterator[_Column]:
    below = iter(layout.headings[-1])
    names = [
        (next(below) if top.spanning else top).text
        for top in layout.headings[0]
        for _ in range(top.columns)
    ]
    for name, numeric, width in zip(names, layout.numeric, widths(layout), strict=True):
        lines = _lines(name, max(width, _HEADER))
        yield _Column(name, numeric, max([width, *map(len, lines)]))


def _fitted(columns: Sequence[_Column]) -> list[_Column]:
    """Columns of texts made narrower, the widest first, until all fit on a page."""
    fitted = list(columns)
    while _total(fitted) > _PAGE:
        texts = [n for n, column in enumerate(fitted) if not column.numeric]
        widest = max(texts, key=lambda n: fitted[n].width, default=None)
        if widest is None or fitted[widest].width <= _NARROWEST:
            break
        narrower = fitted[widest].width - 1
        fitted[widest] = replace(fitted[widest], width=narrower, wraps=True)
    return fitted


def _lines(name: str, width: int) -> list[str]:
    return textwrap.wrap(name, width, break_long_words=False) or [""]


def _total(columns: Sequence[_Column]) -> int:
    return sum(column.width + _GAP for column in columns) - _GAP


def _wrapping(width: int) -> str:
    return rf">{{\raggedright\arraybackslash}}p{{{width * _EM:.1f}em}}"


def _header(layout: Layout, columns: Sequence[_Column]) -> Iterator[str]:
    yield r"\toprule"
    if len(layout.headings) > 1:
        yield from _groups(layout)
    yield _line(map(_name, columns))
    yield r"\midrule"


def _groups(layout: Layout) -> Iterator[str]:
    """The names of groups of columns, with a rule below each."""
    cells, rules, last = [], [], 0
    for top in layout.headings[0]:
        first, last = last + 1, last + top.columns
        if top.spanning:
            cells.append(rf"\multicolumn{{{top.columns}}}{{c}}{{{escaped(top.text)}}}")
            rules.append(rf"\cmidrule(lr){{{first}-{last}}}")
        else:
            cells.append("")
    yield from (_line(cells), "".join(rules))


def _name(column: _Column) -> str:
    lines = [escaped(line) for line in _lines(column.name, max(column.width, _HEADER))]
    if len(lines) == 1:
        return lines[0]
    side = "r" if column.numeric else "l"
    return rf"\shortstack[{side}]{{" + r"\\".join(lines) + "}"


def _rows(layout: Layout, columns: Sequence[_Column]) -> Iterator[str]:
    for place, body in enumerate(layout.bodies):
        if body.heading:
            yield from [r"\addlinespace"] * (place > 0)
            yield _heading(body, columns)
        yield from (_line(map(_cell, row, columns)) for row in body.rows)


def _heading(body: Body, columns: Sequence[_Column]) -> str:
    room = _total(columns)
    kind = _wrapping(room) if len(body.heading) > room else "l"
    text = rf"\textit{{{escaped(body.heading)}}}"
    return rf"\multicolumn{{{len(columns)}}}{{{kind}}}{{{text}}} \\*"


def _line(cells: Iterable[str]) -> str:
    return rf"{' & '.join(cells)} \\"


def _cell(cell: Shown, column: _Column) -> str:
    # Capitals and digits are wider than a character is on average.
    text = escaped(cell.text, column.width * 3 // 4 if column.wraps else len(cell.text))
    if cell.strong:
        text = rf"\textbf{{{text}}}"
    shown = " ".join(filter(None, [text, escaped(cell.interval)]))
    if not cell.letters:
        return shown
    letters = rf"\textsuperscript{{{cell.letters}}}"
    # Digits stay below each other.
    return shown + (rf"\rlap{{{letters}}}" if cell.numeric else letters)


def _footnotes(layout: Layout) -> Iterator[str]:
    for letter, text in layout.footnotes:
        yield rf"\textsuperscript{{{letter}}} {escaped(text)}"
    if layout.rest:
        yield escaped(layout.rest)


# Text as LaTeX shows it: escaped, with signs that its fonts do not have spelt out.

_MARKUP = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    # After the end of a row these would be read as an option and a variant of it.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
}
_SIGNS = {
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≠": r"$\neq$",
    "≈": r"$\approx$",
    "∞": r"$\infty$",
    "→": r"$\rightarrow$",
    "←": r"$\leftarrow$",
    "·": r"$\cdot$",
    "°": r"\textdegree{}",
    "²": r"\texttwosuperior{}",
    "Δ": r"$\Delta$",
    "α": r"$\alpha$",
    "κ": r"$\kappa$",
    "τ": r"$\tau$",
    "χ": r"$\chi$",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "…": r"\dots{}",
    "\N{NO-BREAK SPACE}": "~",
}
_WRITTEN = _MARKUP | _SIGNS
_LETTERS = frozenset(
    map(chr, (*range(0xC0, 0xD7), *range(0xD8, 0xF7), *range(0xF8, 0x100)))
)
"""Letters with accents, as its fonts have them."""
_LINE = 40
"""Characters of a word that surely fit into a line of running text."""


def escaped(text: str, width: int = _LINE) -> str:
    """Text in one line that stands in LaTeX as it is.

    Args:
        text: The text.
        width: Of how many characters a word may be that is not broken.
    """
    return " ".join(_word(word, width) for word in text.split())


def paragraphs(text: str) -> Iterator[str]:
    """The paragraphs and lists of a text; see `Section.text` for what marks them."""
    return map(_block, blocks(text))


def _word(word: str, width: int) -> str:
    """A word that may be broken where its parts are joined, or else anywhere."""
    parts = [word]
    if len(word) > width:
        joined = re.findall(r"[^/_=:.,;-]+[/_=:.,;-]*|[/_=:.,;-]+", word)
        parts = [piece for part in joined for piece in textwrap.wrap(part, width)]
    written = ("".join(map(_character, part)) for part in parts)
    # No dash is made of two hyphens.
    return re.sub("-(?=-)", "-{}", r"\allowbreak{}".join(written))


def _character(character: str) -> str:
    if character in _WRITTEN:
        return _WRITTEN[character]
    if (character.isascii() and character.isprintable()) or character in _LETTERS:
        return character
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    plain = "".join(filter(str.isprintable, plain))
    return "".join(map(_character, plain)) or f"{{[}}U+{ord(character):04X}{{]}}"


def _block(block: Block) -> str:
    lines = ["".join(map(_span, line)) for line in block.lines]
    if not block.listed:
        return "\n".join(lines)
    items = "\n".join(rf"\item {line}" for line in lines)
    return f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}"


def _span(span: Span) -> str:
    # The spaces beside code are the text's own.
    before, after = span.text[:1].isspace(), span.text[-1:].isspace()
    text = rf"\texttt{{{escaped(span.text)}}}" if span.code else escaped(span.text)
    return " " * before + text + " " * (after and len(span.text) > 1)
