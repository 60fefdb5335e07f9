"""What readers find, stored in batches, with a report of what became of it."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from hippograph.api.cli import documents
from hippograph.api.imports.findings import Draft, Finding, Link, Remark, Skip
from hippograph.schema.errors import ErrorCode

if TYPE_CHECKING:
    from hippograph.api.cli.answers import Refusal, Stored, StoredResult
    from hippograph.api.cli.client import Service

MEMORIES_AT_ONCE = 200
CHARACTERS_AT_ONCE = 512 * 1024
LINKS_AT_ONCE = 1000


@dataclass(slots=True, kw_only=True)
class Report:
    """What became of everything that was found."""

    stored: int = 0
    updated: int = 0
    already_there: int = 0
    links: int = 0
    skipped: list[Skip] = field(default_factory=list[Skip])
    remarks: Counter[str] = field(default_factory=Counter[str])

    @property
    def memories(self) -> int:
        """How many memories are in the service now that were found."""
        return self.stored + self.updated + self.already_there

    def as_json(self) -> dict[str, object]:
        """The report for programs."""
        return {
            "stored": self.stored,
            "updated": self.updated,
            "alreadyThere": self.already_there,
            "links": self.links,
            "skipped": [{"place": one.place, "reason": one.reason} for one in self.skipped],
            "remarks": dict(self.remarks),
        }


@dataclass(slots=True, kw_only=True)
class Loader:
    """Stores drafts and links as they come; `progress` is told of every batch.

    With `update`, a memory that was imported in an earlier form gets the new one.
    """

    service: "Service"
    update: bool = False
    at_once: int = MEMORIES_AT_ONCE
    progress: Callable[[Report], None] = lambda _: None
    report: Report = field(default_factory=Report)
    _since: datetime = field(init=False)
    _drafts: list[Draft] = field(default_factory=list[Draft])
    _links: list[Link] = field(default_factory=list[Link])
    _met: set[int] = field(default_factory=set[int])
    _absent: set[str] = field(default_factory=set[str])

    def load(self, findings: Iterable[Finding]) -> Report:
        """Store everything that is found; what is refused is skipped with the reason."""
        self._since = self.service.now()
        size = 0
        for finding in findings:
            self._take(finding)
            size += len(finding.text) if isinstance(finding, Draft) else 0
            if len(self._drafts) >= self.at_once or size >= CHARACTERS_AT_ONCE:
                self._flush()
                size = 0
            elif len(self._links) >= LINKS_AT_ONCE:
                self._flush()
        self._flush()
        return self.report

    def _take(self, finding: Finding) -> None:
        match finding:
            case Draft():
                self._drafts.append(finding)
            case Link():
                self._links.append(finding)
            case Skip():
                self.report.skipped.append(finding)
            case Remark():
                self.report.remarks[finding.what] += 1

    def _flush(self) -> None:
        if self._drafts:
            drafts, self._drafts = self._drafts, []
            inputs = [draft.as_input() for draft in drafts]
            results = self.service.ask(documents.STORE_MANY, inputs=inputs)
            for draft, result in zip(drafts, results, strict=True):
                self._count(draft, result)
        links, self._links = self._links, []
        for start in range(0, len(links), LINKS_AT_ONCE):
            self._relate(links[start : start + LINKS_AT_ONCE])
        self.progress(self.report)

    def _count(self, draft: Draft, result: "StoredResult") -> None:
        memory, error = result["memory"], result["error"]
        if memory is not None:
            is_new = self._is_new(memory)
            self.report.stored += is_new
            self.report.already_there += not is_new
        elif error is not None and error["code"] == ErrorCode.CONFLICT:
            self._changed(draft)
        else:
            self._refused(draft, error)

    def _is_new(self, memory: "Stored") -> bool:
        """Whether this load stored it, and this is the first time that it meets it."""
        # Hashes take a third of the room of the ids; an export may hold a million of them.
        own = hash(memory["id"])
        is_first = own not in self._met
        self._met.add(own)
        return is_first and datetime.fromisoformat(memory["recordedAt"]) >= self._since

    def _changed(self, draft: Draft) -> None:
        """Settle a draft whose id stands for something else, which may be its earlier form."""
        form = self.service.ask(documents.FORM, id=draft.id)
        if form is not None and draft.is_in(form):
            self.report.already_there += 1
            return
        if not self.update:
            # The earlier form is there, so its links may be made.
            reason = "differs from what is stored; --update brings it up to date"
            self.report.skipped.append(Skip(place=draft.place, reason=reason))
            return
        result = self.service.ask(documents.UPDATE_ONE, input=draft.as_change())
        if result["success"]:
            self.report.updated += 1
        else:
            self._refused(draft, result["error"])

    def _refused(self, draft: Draft, error: "Refusal | None") -> None:
        self._absent.add(draft.id)
        self.report.skipped.append(Skip(place=draft.place, reason=_reason(error)))

    def _relate(self, links: list[Link]) -> None:
        possible: list[Link] = []
        for link in links:
            if {link.source_id, link.target_id} & self._absent:
                self._unlinked(link, "a memory at its ends was skipped")
            else:
                possible.append(link)
        if not possible:
            return
        inputs = [link.as_input() for link in possible]
        results = self.service.ask(documents.RELATE_MANY, inputs=inputs)
        for link, result in zip(possible, results, strict=True):
            if result["success"]:
                self.report.links += 1
            else:
                self._unlinked(link, _reason(result["error"]))

    def _unlinked(self, link: Link, why: str) -> None:
        reason = f"{link.type.value} not made: {why}"
        self.report.skipped.append(Skip(place=link.place, reason=reason))


def rehearsed(findings: Iterable[Finding], *, examples: int) -> tuple[Report, list[Draft]]:
    """What a load would do if nothing were refused, and the first drafts; writes nothing."""
    report, first = Report(), list[Draft]()
    for finding in findings:
        match finding:
            case Draft():
                report.stored += 1
                if len(first) < examples:
                    first.append(finding)
            case Link():
                report.links += 1
            case Skip():
                report.skipped.append(finding)
            case Remark():
                report.remarks[finding.what] += 1
    return report, first


def _reason(error: "Refusal | None") -> str:
    return error["message"] if error else "the service refused"
