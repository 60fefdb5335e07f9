"""The wheel built from the source archive holds the whole package, and nothing else."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

import pytest

from tests.house.tree import PACKAGES, ROOT, tracked

OWN = {"__init__.py", "__main__.py", "py.typed"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a source archive and of the wheel that was built from it, offline."""
    folder = tmp_path_factory.mktemp("dist")
    program = Path(sys.executable).with_name("pyproject-build")
    done = subprocess.run(
        [program, "--no-isolation", "--outdir", folder, ROOT],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return folder


def test_the_wheel_holds_every_module_and_statement(built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        held = {name for name in wheel.namelist() if ".dist-info/" not in name}

    assert held == expected()


def test_the_wheel_is_typed_and_knows_its_jars_licence_and_command(built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        names = wheel.namelist()
        entry = next(name for name in names if name.endswith(".dist-info/entry_points.txt"))
        commands = wheel.read(entry).decode()

    assert {"hippograph/py.typed", "hippograph/graph/engine/jars.lock"} <= set(names)
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert "hippograph = hippograph.api.cli.main:main" in commands


def test_the_archives_hold_plain_files_inside_their_own_folder(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        members = archive.getmembers()
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        names = [*wheel.namelist(), *(member.name for member in members)]

    assert all(member.isfile() for member in members)
    assert not any(
        PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts for name in names
    )
    assert len(names) == len(set(names))


def expected() -> set[str]:
    """The files of the package as they stand in the repository."""
    folders = {*PACKAGES, "cypher"}
    inner = (path.relative_to(ROOT) for path in tracked())
    return {f"hippograph/{name}" for name in OWN} | {
        f"hippograph/{path.as_posix()}" for path in inner if path.parts[0] in folders
    }
