"""What stands in the repository: no package hosts, no paths of one machine, no big files."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.house.tree import ROOT, shown, tracked

BYTES = 1_000_000
TARGETS = ("install", "demo", "test", "check", "lint", "bench", "docs", "clean")
LINKS = {f"hippograph/{name}": f"../{name}" for name in ("api", "cypher", "graph", "schema")}

# In halves, so that this file does not name what it looks for.
HOSTS = [
    ("pypi", ".org"),
    ("python", "hosted"),
    ("maven", ".org"),
    ("maven.apache", ".org"),
    ("maven.google", ".com"),
    ("repo1.", "maven"),
    ("repo.", "maven"),
    ("son", "atype"),
    ("jit", "pack"),
    ("npmjs", ".org"),
    ("npmjs", ".com"),
    ("registry.", "npm"),
    ("registry.", "yarn"),
    ("crates", ".io"),
    ("proxy.", "golang"),
    ("sum.", "golang"),
    ("ruby", "gems"),
    ("debian", ".org"),
    ("ubuntu", ".com"),
    ("debian.", "neo4j"),
    ("dist.", "neo4j"),
    ("adoptium", ".net"),
    ("foojay", ".io"),
    ("anaconda", ".org"),
    ("docker", ".io"),
    ("docker", ".com"),
    ("ghcr", ".io"),
    ("quay", ".io"),
    ("hugging", "face.co"),
    ("git", "hub.com"),
    ("github", "usercontent"),
    ("github", ".io"),
    ("git", "lab.com"),
    ("bit", "bucket.org"),
    ("code", "berg.org"),
]
HOST = re.compile("|".join(re.escape(first + second) for first, second in HOSTS), re.IGNORECASE)
INDEX = re.compile(r"(?:index-url|find-links|trusted-host|index_url)\W{0,4}https?:")
OF_ONE_MACHINE = re.compile(
    r"(?:^|[^\w])/(?:" + "|".join(("work", "root", "home/user", "farm")) + ")/"
)


@pytest.mark.parametrize(
    "pattern", [HOST, INDEX, OF_ONE_MACHINE], ids=["host", "index", "path"]
)
def test_no_file_names_a_package_host_or_a_path_of_one_machine(
    pattern: re.Pattern[str],
) -> None:
    named = [
        f"{shown(path, number)}: {found[0]}"
        for path in tracked()
        for number, line in enumerate(_lines(path), start=1)
        if (found := pattern.search(line))
    ]

    assert named == []


def test_the_patterns_find_what_they_are_for() -> None:
    host = "files.python" + "hosted.org"
    place = "/" + "work/main"

    assert HOST.search(f"see {host}")
    assert INDEX.search("--index-url " + "https" + "://example.com/simple")
    assert OF_ONE_MACHINE.search(f"cd {place}/tests")
    assert not OF_ONE_MACHINE.search("a" + place + "/tests")


def test_files_are_small() -> None:
    big = [
        f"{shown(path)}: {size}" for path in tracked() if (size := path.lstat().st_size) > BYTES
    ]

    assert big == []


def test_the_only_links_are_those_of_the_package() -> None:
    links = {shown(path): str(path.readlink()) for path in tracked() if path.is_symlink()}

    assert links == LINKS


def test_every_target_of_make_runs_lines_that_a_person_could_type() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipes = [line for line in text.splitlines() if line.startswith("\t")]

    done = subprocess.run(
        ["make", "--dry-run", "--always-make", *TARGETS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert recipes
    assert not any(line.endswith("\\") for line in recipes)
    assert all(
        ".venv/bin/" + tool in done.stdout for tool in ("pip", "ruff", "pyright", "pytest")
    )


def test_ci_runs_the_tests_and_stops_at_the_first_failure() -> None:
    script = ROOT / ".ci" / "run"
    text = script.read_text(encoding="utf-8")

    assert os.access(script, os.X_OK)
    assert "set -euo pipefail" in text
    assert text.rstrip().endswith("make test")


def test_the_lock_names_a_hash_for_every_package() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", text.strip())

    assert len(entries) > 50
    assert all(
        re.match(r"[\w.-]+(?:\[[\w,-]+\])?==\S+ (?:;.*)?\\\n\s+--hash=sha256:", one)
        for one in entries
    )


def test_licence_and_changelog_stand() -> None:
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert "Apache License" in licence
    assert "END OF TERMS AND CONDITIONS" in licence
    assert "## [Unreleased]" in changelog


def test_the_containers_are_healthy_keep_their_data_and_hold_no_secret() -> None:
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    compose = yaml.safe_load(text)
    database, api = compose["services"]["neo4j"], compose["services"]["api"]

    assert "graph-data-science" in json.loads(database["environment"]["NEO4J_PLUGINS"])
    assert database["environment"]["NEO4J_dbms_usage__report_enabled"] == "false"
    assert api["depends_on"] == {"neo4j": {"condition": "service_healthy"}}
    assert "/readyz" in api["healthcheck"]["test"][-1]
    for service in (database, api):
        assert service["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}
        kept = {volume.split(":")[0] for volume in service["volumes"]}
        assert kept <= set(compose["volumes"])
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    passwords = re.findall(r"(?:AUTH|PASSWORD): +\"(.+)\"", text)
    assert len(passwords) == 2
    assert all(
        re.fullmatch(r"(neo4j/)?\$\{HIPPOGRAPH_NEO4J_PASSWORD:\?[^}]+\}", one)
        for one in passwords
    )


@pytest.mark.parametrize("name", ["Makefile", "Dockerfile"])
def test_an_install_takes_what_the_lock_names_and_resolves_nothing(name: str) -> None:
    # Left to resolve, pip asks for the newest release of a package that another
    # one wants with an extra, and refuses it because the lock has no hash of it.
    text = (ROOT / name).read_text(encoding="utf-8")

    by_lock = [line for line in text.splitlines() if "-r requirements.lock" in line]

    assert by_lock
    assert all("--no-deps --require-hashes" in line for line in by_lock)


def test_the_image_installs_by_hash_and_runs_without_root() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")

    assert "--require-hashes" in text
    assert "--no-index" in text
    assert re.search(r"^USER (?!root)\w+$", text, re.MULTILINE)
    assert '"serve", "--host", "0.0.0.0"' in text


def _lines(path: Path) -> list[str]:
    if path.is_symlink():
        return [str(path.readlink())]
    return path.read_text(encoding="utf-8", errors="replace").splitlines()
