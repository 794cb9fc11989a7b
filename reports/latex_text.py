"""Plain text as LaTeX sets it: the same letters with every engine and font encoding, whatever the text holds."""

from __future__ import annotations

import unicodedata

from axiomcheck.core.printable import in_units

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",  # which German documents make a command
    "`": r"{}\char96{}",  # which makes a letter of a question mark before it
    "[": "{[}",  # an optional argument, where it follows the end of a row; so is the star
    "]": "{]}",
    "*": "{*}",
    "×": r"\ensuremath{\times}",
    "–": "--",
    "—": "---",
    "ß": r"{\ss}",
    "æ": r"{\ae}",
    "Æ": r"{\AE}",
    "œ": r"{\oe}",
    "Œ": r"{\OE}",
    "ø": r"{\o}",
    "Ø": r"{\O}",
    "ł": r"{\l}",
    "Ł": r"{\L}",
    "ı": r"{\i}",
}
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
}
_LETTERS = "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ"
_COMMANDS = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi "
    "omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)
_GREEK = {letter: f"\\ensuremath{{\\{name}}}" for letter, name in zip(_LETTERS, _COMMANDS.split(), strict=True)}
_LIGATING = "-',"


def as_latex(text: str) -> str:
    r"""Text, on one line, that LaTeX shows as it is: with pdflatex as with engines that read Unicode.

    Accented letters become commands, Greek ones mathematics; every other character beyond ASCII is shown as the
    ``\uXXXX`` of its UTF-16 units, since fonts that have it cannot be relied on. Nothing in it is a command any more.
    """
    out: list[str] = []
    last = ""
    for character in unicodedata.normalize("NFC", " ".join(text.split())):
        if character == last and character in _LIGATING:
            out.append("{}")
        out.append(_set(character))
        last = character
    return "".join(out)


def _set(character: str) -> str:
    if character in _SPECIAL or character in _GREEK:
        return _SPECIAL.get(character) or _GREEK[character]
    if " " <= character <= "~":
        return character
    letter, *marks = list(unicodedata.normalize("NFD", character))
    if len(marks) == 1 and marks[0] in _ACCENTS and letter.isascii() and letter.isalpha():
        dotless = {"i": r"\i", "j": r"\j"}.get(letter, letter) if marks[0] != "\u0327" else letter
        return f"{{\\{_ACCENTS[marks[0]]}{{{dotless}}}}}"
    return r"\textbackslash{}".join(in_units(character).split("\\"))
