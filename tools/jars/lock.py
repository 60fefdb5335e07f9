"""Write graph/engine/jars.lock from pom.xml: every jar that is fetched, with its sha256.

For maintainers; needs Maven and a JDK on PATH. Maven resolves, since its choice among the
versions of a transitive dependency is the one that Neo4j and GDS were tested with.

usage: python tools/jars/lock.py
"""

import hashlib
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
LOCK = HERE.parents[1] / "graph" / "engine" / "jars.lock"
PLACES = {"org.neo4j.gds": "plugins", "dev.langchain4j": "model"}
HEADER = """\
# Every jar of the managed Neo4j and of the embedding models: coordinate, sha256 and place.
# Written by tools/jars/lock.py from tools/jars/pom.xml; not edited by hand.
"""


def maven(*arguments: str) -> None:
    """Run Maven on the pom here, quietly."""
    subprocess.run(["mvn", "-q", "-B", "-f", HERE / "pom.xml", *arguments], check=True)


def line(listed: str, repository: Path) -> str:
    """A line of the lock for `group:artifact:jar[:classifier]:version:scope`."""
    group, artifact, _, *classifier, version, _ = listed.split(":")
    name = "-".join([artifact, version, *classifier]) + ".jar"
    jar = repository / group.replace(".", "/") / artifact / version / name
    digest = hashlib.sha256(jar.read_bytes()).hexdigest()
    coordinate = ":".join([group, artifact, version, *classifier])
    return f"{coordinate} {digest} {PLACES.get(group, 'lib')}"


def main() -> None:
    """Resolve, fetch, hash and write."""
    with tempfile.TemporaryDirectory() as folder:
        listing, repository = Path(folder, "list.txt"), Path(folder, "jars")
        maven("dependency:list", f"-DoutputFile={listing}")
        maven(
            "dependency:copy-dependencies",
            "-Dmdep.useRepositoryLayout=true",
            f"-DoutputDirectory={repository}",
        )
        words = [text.split()[0] for text in listing.read_text().splitlines() if text.strip()]
        lines = [line(word, repository) for word in words if ":jar:" in word]
    LOCK.write_text(HEADER + "\n".join(sorted(lines)) + "\n", encoding="utf-8")
    print(f"{len(lines)} jars in {LOCK.relative_to(HERE.parents[1])}")


if __name__ == "__main__":
    main()
