"""Words: how names are folded, and how a caller's text becomes a full-text query.

What a caller writes never reaches the query parser raw: it is cut at blanks, and each part is
quoted, so that the index's own analyzer treats it just as it treated the stored text.
"""

import hashlib
import re
import unicodedata

# Lucene refuses more than 1,024 clauses; a long question loses nothing by fewer.
MAX_TERMS = 200

# Scripts written without blanks between words, which the index holds character by character.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_WORD = re.compile(r"\w+")
_QUOTES = re.compile(r'["\\]')


def folded(text: str) -> str:
    """Text as names are compared: NFKC, without case, single blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


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
    terms = _terms(unicodedata.normalize("NFKC", text))
    if not terms:
        return None
    return f"+{token_field}:{token}^0 +text:({' '.join(terms)})"


def _terms(text: str) -> list[str]:
    terms: dict[str, None] = {}
    for chunk in _QUOTES.sub(" ", text).split():
        words = _WORD.findall(chunk)
        spaced = [word for word in words if not _UNSPACED.search(word)]
        pairs = [pair for word in words for pair in _pairs(word)]
        whole = [chunk] if spaced and not pairs else []
        terms.update(dict.fromkeys(f'"{term}"' for term in (*whole, *spaced, *pairs)))
        if len(terms) >= MAX_TERMS:
            break
    return list(terms)[:MAX_TERMS]


def _pairs(word: str) -> list[str]:
    """Neighbouring characters of unspaced script: the nearest there is to its words."""
    pairs: list[str] = []
    for run in _UNSPACED.findall(word):
        pairs += [run[at : at + 2] for at in range(max(1, len(run) - 1))]
    return pairs
