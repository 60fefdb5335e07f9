"""Figures that rankings use and rules never do."""

REFERENCE_SHARE = 0.05
MOST_REFERENCES = 4


def effective_importance(importance: float, references: int) -> float:
    """Importance raised by memories that refer to it: 0.05 each for up to four, at most 1."""
    return min(1.0, importance + REFERENCE_SHARE * min(references, MOST_REFERENCES))
