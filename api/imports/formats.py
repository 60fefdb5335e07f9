"""The formats that can be imported, and how a path tells its own."""

from collections.abc import Callable, Iterator
from pathlib import Path

from hippograph.api.imports.chatgpt import read_chatgpt
from hippograph.api.imports.claude import read_claude
from hippograph.api.imports.exports import Conversation, conversations, has_conversations
from hippograph.api.imports.findings import Finding, Format, Wanted
from hippograph.api.imports.jsonl import read_jsonl
from hippograph.api.imports.markdown import SUFFIXES, read_markdown
from hippograph.schema.errors import InvalidError

READERS: dict[Format, Callable[[Path, Wanted], Iterator[Finding]]] = {
    Format.MARKDOWN: read_markdown,
    Format.JSONL: read_jsonl,
    Format.CHATGPT: read_chatgpt,
    Format.CLAUDE: read_claude,
}

_BY_SUFFIX = dict.fromkeys(SUFFIXES, Format.MARKDOWN) | {
    ".jsonl": Format.JSONL,
    ".ndjson": Format.JSONL,
}
# The field of a conversation that tells whose export it is.
_BY_FIELD = {"mapping": Format.CHATGPT, "chat_messages": Format.CLAUDE}


def format_of(path: Path) -> Format:
    """The format of a file or folder; raises InvalidError when it is none of them."""
    if not path.exists():
        raise InvalidError("path", f"{path} does not exist")
    if has_conversations(path) or path.suffix.lower() == ".json":
        return _whose_export(path)
    if path.is_dir():
        return Format.MARKDOWN
    found = _BY_SUFFIX.get(path.suffix.lower())
    if found is None:
        allowed = ", ".join(one.value for one in Format)
        raise InvalidError("path", f"{path.name} tells no format; name one of {allowed}")
    return found


def findings(path: Path, wanted: Wanted, chosen: Format | None) -> Iterator[Finding]:
    """What is to be imported from a path, read as it is asked for.

    Raises InvalidError when the path is not of the format that was chosen.
    """
    if not path.exists():
        raise InvalidError("path", f"{path} does not exist")
    if chosen is Format.JSONL and path.is_dir():
        raise InvalidError("path", f"{path.name} is a folder, no JSONL file")
    if chosen in (None, Format.CHATGPT, Format.CLAUDE):
        own = format_of(path)
        if chosen not in (None, own):
            raise InvalidError("path", f"{path.name} is no export of {chosen.value}")
        chosen = own
    return READERS[chosen](path, wanted)


def _whose_export(path: Path) -> Format:
    for first in conversations(path):
        if isinstance(first, Conversation):
            for field, found in _BY_FIELD.items():
                if field in first.body:
                    return found
        break
    raise InvalidError("path", f"{path.name} is an export of neither ChatGPT nor Claude")
