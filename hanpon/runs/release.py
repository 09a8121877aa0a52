"""The main job: release the editions of a bundle, each whole or not at all."""

import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from hanpon.contracts.bundle import Item
from hanpon.contracts.digests import canonical_json
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import Conflict, HanponError, Held, InvalidInput, Unavailable, UsageError
from hanpon.contracts.findings import Finding, Severity
from hanpon.contracts.reports import Counts, EditionReport, RunRecord, RunReport, Status
from hanpon.releases.access import narrowings
from hanpon.releases.edition_print import JSON, StoredObject
from hanpon.releases.origin import foreign_origin, older_ref
from hanpon.releases.plan import Found, Plan, plan_edition
from hanpon.runs.printing import Printed, Workshop, print_item, reprint, still_stands
from hanpon.runs.publishing import Press, Publication, narrow, publish, retire
from hanpon.runs.survey import survey
from hanpon.sources.bundles.reader import read_bundle
from renderers.edition_index import render_index


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseOptions:
    """How a release is to go about it."""

    only: tuple[str, ...] = ()
    dry_run: bool = False
    allow_removals: bool = False
    take_over: bool = False
    wait: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseRun:
    """One run: what it reads with, writes to and is stamped with."""

    run: str
    workshop: Workshop
    press: Press
    options: ReleaseOptions
    by: str
    now: Callable[[], datetime]
    keep: int


def release(job: ReleaseRun) -> RunReport:
    """Release every edition of the bundle that is asked for.

    A bundle that is itself wrong is refused whole; a bad edition fails alone, and its old state stays. Raises
    UsageError where nothing in the bundle is asked for or a store cannot be used as named.
    """
    report = RunReport(run=job.run, dry_run=job.options.dry_run)
    try:
        items = _asked_for(read_bundle(job.workshop.tree).items, job.options.only)
    except InvalidInput as refusal:
        return replace(report, findings=refusal.problems, exit_code_of_run=refusal.exit_code)
    lost: dict[Edition, tuple[str, ...]] = {}
    if not job.options.dry_run:
        job.press.storage.tidy()
        lost = {item.edition: _narrow_first(item, job) for item in items}
    for item in items:
        done = _release_item(item, job, report)
        if done.status is Status.FAILED and lost.get(item.edition):
            done = replace(done, findings=(*done.findings, _narrowed_all_the_same(item, lost[item.edition])))
        report = replace(report, editions=(*report.editions, done))
    return report


def _narrow_first(item: Item, job: ReleaseRun) -> tuple[str, ...]:
    """Readers who lose access lose it before anything else is done, whatever becomes of the release.

    Those who lost it.
    """
    # What goes wrong here goes wrong again, and is told, when the edition's turn comes.
    with suppress(HanponError):
        if not narrowings(job.press.datastore.rows(item.edition), item.readers):
            return ()
        with job.press.storage.hold(item.edition, job.run, job.options.wait):
            _refuse_stranger(item, job, survey(item.edition, job.press.storage, job.press.datastore))
            rows = job.press.datastore.rows(item.edition)
            narrow(item.edition, narrowings(rows, item.readers), job.press)
            return tuple(sorted({reader for row in rows.values() for reader in row.readers} - set(item.readers)))
    return ()


def _narrowed_all_the_same(item: Item, lost: tuple[str, ...]) -> Finding:
    words = f"{item.edition}: access was taken from {', '.join(lost)}; nothing else of this release was published"
    return Finding("readers-narrowed", Severity.WARNING, item.place, words)


def _asked_for(items: Iterable[Item], only: tuple[str, ...]) -> list[Item]:
    chosen = [item for item in items if not only or {item.name, str(item.edition)} & set(only)]
    known = {name for item in items for name in (item.name, str(item.edition))}
    unknown = [name for name in only if name not in known]
    if unknown:
        raise UsageError(
            f"--only {', '.join(unknown)}: not in the bundle; it has {', '.join(str(item.edition) for item in items)}"
        )
    return chosen


def _release_item(item: Item, job: ReleaseRun, so_far: RunReport) -> EditionReport:
    """Release one edition; what goes wrong becomes its report."""
    work = _Release(item, job, so_far)
    try:
        return work.carry_out()
    except InvalidInput as refusal:
        return work.failed(refusal.problems, refusal.exit_code)
    except UsageError:
        raise  # a store that cannot be used as named concerns every edition
    except Conflict as conflict:
        return work.failed([_stopped("held", item, conflict)], Held.exit_code)
    except HanponError as error:
        rule = "held" if isinstance(error, Held) else "unavailable"
        return work.failed([*work.report.findings, _stopped(rule, item, error)], error.exit_code)
    except Exception as error:  # noqa: BLE001  a slip of ours in one edition must not stop the others
        return work.failed([_slip(item, error)], InvalidInput.exit_code)


def _stopped(rule: str, item: Item, error: HanponError) -> Finding:
    return Finding(rule, Severity.ERROR, item.place, str(error))


def _slip(item: Item, error: Exception) -> Finding:
    at = traceback.extract_tb(error.__traceback__)[-1]
    words = (
        f"{item.edition}: hanpon itself failed ({type(error).__name__} in {at.name}, line {at.lineno}); "
        "its old state stays; please report this with the definition that caused it"
    )
    return Finding("internal-error", Severity.ERROR, item.place, words)


class _Release:
    """One edition on its way from the bundle to its readers; `report` says how far it has come."""

    def __init__(self, item: Item, job: ReleaseRun, so_far: RunReport) -> None:
        self._item, self._job, self._so_far = item, job, so_far
        self.report = EditionReport(edition=item.edition, status=Status.UNCHANGED)

    def failed(self, findings: Sequence[Finding], exit_code: int) -> EditionReport:
        """The report where the release stopped: none of its changes came about."""
        counts = self.report.counts.all_failed
        return replace(
            self.report, status=Status.FAILED, counts=counts, findings=tuple(findings), exit_code=exit_code
        )

    def carry_out(self) -> EditionReport:
        job = self._job
        found = self._survey()
        _refuse_stranger(self._item, job, found)
        printed = self._print(found)
        plan = self._plan(printed, found)
        if job.options.dry_run:
            return replace(self.report, status=Status.PLANNED)
        if plan.nothing_to_do:
            return self.report
        with job.press.storage.hold(self._item.edition, job.run, job.options.wait):
            now = self._survey()
            if now != found:
                _refuse_stranger(self._item, job, now)
                plan = self._plan(printed, now)
            if plan.nothing_to_do:
                return self.report
            return self._publish(plan, now, printed)

    def _publish(self, plan: Plan, found: Found, printed: Printed) -> EditionReport:
        job = self._job
        if plan.create and printed.edition is None:  # an object is damaged that the manifest still names
            printed = print_item(self._item, job.workshop)
            plan = self._plan(printed, found)
        objects: Mapping[str, StoredObject] = printed.edition.objects if printed.edition else {}
        publication = self._publication()
        publish(plan, found, objects, job.press, publication)
        self.report = replace(self.report, status=Status.PUBLISHED)
        try:
            retire(plan, job.press, publication)
        except Unavailable as error:
            self._fell_short("not-retired", error)
        self._put_on_record()
        return self.report

    def _publication(self) -> Publication:
        job, item = self._job, self._item
        return Publication(
            run=job.run,
            origin=job.workshop.tree.origin,
            ref=job.workshop.tree.ref,
            now=job.now,
            keep=job.keep,
            index_page=partial(render_index, title=item.title, language=item.language),
        )

    def _survey(self) -> Found:
        job = self._job
        job.press.progress.step(self._item.edition, "survey")
        return survey(self._item.edition, job.press.storage, job.press.datastore)

    def _print(self, found: Found) -> Printed:
        item, workshop = self._item, self._job.workshop
        if found.manifest is not None and still_stands(item, found.manifest, workshop.tree):
            return reprint(item, found.manifest, workshop)
        self._job.press.progress.step(item.edition, "print")
        return print_item(item, workshop)

    def _plan(self, printed: Printed, found: Found) -> Plan:
        """The plan, and the report of what it would do. Raises InvalidInput where it removes too much."""
        manifest = printed.edition.manifest if printed.edition else found.manifest
        assert manifest is not None  # noqa: S101  an edition is not printed only where its manifest stands
        plan = plan_edition(manifest, found)
        findings = [*printed.findings]
        if found.damaged:
            findings.append(_damaged(self._item))
        if plan.before and not plan.counts.documents:
            findings.append(_emptied(self._item, plan.before))
        self.report = replace(self.report, counts=plan.counts, names=printed.names, findings=tuple(findings))
        if plan.removes_too_much and not self._job.options.allow_removals:
            raise InvalidInput([_too_many_removals(self._item, plan.counts)])
        return plan

    def _fell_short(self, rule: str, error: Unavailable) -> None:
        """Published, but something that follows a publication was not done; the next run does it."""
        findings = (*self.report.findings, _stopped(rule, self._item, error))
        self.report = replace(self.report, findings=findings, exit_code=error.exit_code)

    def _put_on_record(self) -> None:
        """After every edition: a run that is killed later is still on record for what it published."""
        job = self._job
        record = RunRecord(
            report=replace(self._so_far, editions=(*self._so_far.editions, self.report)),
            at=job.now().isoformat(timespec="seconds"),
            by=job.by,
            origin=job.workshop.tree.origin,
            ref=job.workshop.tree.ref,
        )
        try:
            job.press.storage.put(f"runs/{job.run}.json", canonical_json(record.as_record()), JSON)
        except Unavailable as error:
            self._fell_short("run-not-recorded", error)


def _refuse_stranger(item: Item, job: ReleaseRun, found: Found) -> None:
    """Raises InvalidInput where the edition is another bundle's, or was published from a newer tag."""
    tree = job.workshop.tree
    foreign = None if job.options.take_over else foreign_origin(found.pointer, tree.origin, item.place)
    strange = foreign or older_ref(found.pointer, tree.ref, item.place)
    if strange is not None:
        raise InvalidInput([strange])


def _damaged(item: Item) -> Finding:
    words = f"{item.edition}: its manifest was gone or damaged, so the edition was printed and planned anew"
    return Finding("manifest-damaged", Severity.WARNING, item.place, words)


def _emptied(item: Item, before: int) -> Finding:
    words = f"{item.edition}: the definition has no operation any more, so none of {before} documents remains"
    return Finding("edition-emptied", Severity.WARNING, item.place, words)


def _too_many_removals(item: Item, counts: Counts) -> Finding:
    words = (
        f"{item.edition}: the release would remove {counts.removed} documents and leave {counts.documents}; "
        "if that is meant, pass --allow-removals"
    )
    return Finding("too-many-removals", Severity.ERROR, item.place, words)
