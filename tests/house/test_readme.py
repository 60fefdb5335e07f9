"""What the documentation says of settings and schema is what the code says."""

import re
from pathlib import Path

import pytest

from hippograph.schema.settings import setting_fields
from tests.house.documents import PAGES, setting_row
from tests.house.tree import ROOT, tracked

ROW = re.compile(r"^\| `([a-z_.0-9]+)` \|")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_made_from_the_code_is_up_to_date(page: Path) -> None:
    written = page.read_text(encoding="utf-8") if page.exists() else ""

    assert written == PAGES[page](), "run `make docs`"


def test_a_setting_in_the_readme_is_described_as_in_the_code() -> None:
    rows = {one.key: setting_row(one) for one in setting_fields()}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    wrong = [
        line
        for line in readme.splitlines()
        if (found := ROW.match(line)) and "." in found[1] and line != rows.get(found[1])
    ]

    assert wrong == []


def test_links_inside_the_repository_lead_somewhere() -> None:
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in tracked()
        if page.suffix == ".md" and ROOT / "tests" not in page.parents
        for target in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8")))
        if not (page.parent / target).exists()
    ]

    assert broken == []
