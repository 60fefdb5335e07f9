"""Words: how names are folded, and how a caller's text becomes a full-text query.

What a caller writes never reaches the query parser raw: it is cut at blanks, and each part is
quoted, so that the index's own analyzer treats it just as it treated the stored text.
"""

import hashlib
import re
import unicodedata

# Lucene refuses more than 1,024 clauses; a long question loses nothing by fewer.
MAX_TERMS = 200

# How the index cuts text, after the Unicode rules that its analyzer follows: katakana in runs,
# kanji and hiragana character by character, everything else in words.
_KATAKANA = r"\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_UNSPACED = r"\u3041-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(
    rf"(?P<unspaced>[{_UNSPACED}]+)|[{_KATAKANA}]+|(?:(?![{_KATAKANA}{_UNSPACED}])\w)+"
)
_QUOTES = re.compile(r'["\\]')


def searchable(text: str) -> str:
    """Text as the full-text index holds it and as questions are put.

    NFKC: neither the composition of accents nor the width of characters hides a word.
    """
    return unicodedata.normalize("NFKC", text)


def folded(text: str) -> str:
    """Text as names are compared: NFKC, without case, single blanks."""
    return " ".join(searchable(searchable(text).casefold()).split())


def wall_token(*parts: str) -> str:
    """One word for a space, or for an agent of it, that the full-text index can require.

    Made by hash, so that it is alphanumeric whatever the names are and two never share one.
    """
    digest = hashlib.sha256("\x1f".join(parts).encode("utf-8")).hexdigest()
    return f"w{digest[:30]}x"


def lexical_query(text: str, token_field: str, token: str) -> str | None:
    """A Lucene query for memories behind a wall that hold any of the words of `text`.

    None when the text has no word at all.
    """
    terms = _terms(searchable(text))
    if not terms:
        return None
    return f"+{token_field}:{token}^0 +words:({' '.join(terms)})"


def _terms(text: str) -> list[str]:
    """The parts between blanks, quoted, and the words in each, most telling first."""
    terms: dict[str, None] = {}
    for chunk in _QUOTES.sub(" ", text).split():
        found = [one for one in _TOKEN.finditer(chunk) if one[0].strip("_")]
        words = [word for one in found for word in _words(one)]
        if found and not any(one["unspaced"] for one in found):
            words.insert(0, chunk)
        terms.update(dict.fromkeys(f'"{word}"' for word in words))
        if len(terms) >= MAX_TERMS:
            break
    return list(terms)[:MAX_TERMS]


def _words(found: re.Match[str]) -> list[str]:
    """A word, or neighbouring characters of unspaced script: the nearest there is to words."""
    run = found["unspaced"]
    if run is None:
        return [found[0]]
    return [run[at : at + 2] for at in range(max(1, len(run) - 1))]
