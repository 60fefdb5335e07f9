"""Long texts in pieces."""

from hypothesis import given
from hypothesis import strategies as st

from hippograph.api.imports.pieces import broken, pieces


@given(text=st.text(alphabet="ab .;\n\t", max_size=600), bound=st.integers(10, 80))
def test_a_text_in_pieces_loses_nothing_but_white_space(text: str, bound: int) -> None:
    cut = pieces(text, bound)

    assert "".join("".join(cut).split()) == "".join(text.split())
    assert all(0 < len(piece) <= bound and piece.strip() for piece in cut)


def test_paragraphs_stay_together_as_long_as_they_fit() -> None:
    assert pieces("one\n\ntwo\n\nthree four", 10) == ["one\n\ntwo", "three four"]


def test_a_long_paragraph_is_cut_behind_a_sentence() -> None:
    assert list(broken("First sentence. Second one.", 20)) == ["First sentence.", "Second one."]


def test_a_word_longer_than_the_bound_is_cut_where_it_must_be() -> None:
    assert list(broken("x" * 25, 10)) == ["x" * 10, "x" * 10, "x" * 5]


def test_indented_lines_keep_their_indent_at_a_cut() -> None:
    code = "a = b\n    c = d\n    e = f"

    assert list(broken(code, 16)) == ["a = b\n    c = d", "    e = f"]
