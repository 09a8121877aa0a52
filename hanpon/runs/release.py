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
from hanpon.contracts.errors import HanponError, Held, InvalidInput, Unavailable, UsageError
from hanpon.contracts.findings import Finding, Severity
from hanpon.contracts.reports import Counts, EditionReport, RunRecord, RunReport, Status
from hanpon.releases.edition_print import JSON, StoredObject
from hanpon.releases.origin import foreign_origin, older_ref
from hanpon.releases.plan import Found, Plan, plan_edition
from hanpon.runs.narrowing import Narrowed, narrow, wants_narrowing
from hanpon.runs.printing import Printed, Workshop, print_item, reprint, still_stands
from hanpon.runs.publishing import Press, Publication, publish, retire
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
    UsageError where something is asked for that the bundle has not.
    """
    report = RunReport(run=job.run, dry_run=job.options.dry_run)
    try:
        items = _asked_for(read_bundle(job.workshop.tree).items, job.options.only)
    except InvalidInput as refusal:
        return replace(report, findings=refusal.problems, exit_code_of_run=refusal.exit_code)
    narrowed: dict[Edition, Narrowed] = {}
    if not job.options.dry_run:
        with suppress(Unavailable):  # what cannot be tidied now disturbs nobody
            job.press.storage.tidy()
        narrowed = {item.edition: _narrow_first(item, job) for item in items}
    for item in items:
        done = _release_item(item, job, report)
        done = _with_narrowing(done, item, narrowed.get(item.edition, Narrowed()))
        report = replace(report, editions=(*report.editions, done))
    _put_on_record_at_last(report, job)
    return report


def _narrow_first(item: Item, job: ReleaseRun) -> Narrowed:
    """Readers who lose access lose it before anything else is done, whatever becomes of the release."""
    edition, press = item.edition, job.press
    try:
        if not wants_narrowing(edition, lambda _: item.readers, press.datastore):
            return Narrowed()
    except HanponError:
        return Narrowed()  # the edition's turn will meet it again, and tell it
    try:
        with press.storage.hold(edition, job.run, job.options.wait):
            _refuse_stranger(item, job, survey(edition, press.storage, press.datastore))
            return Narrowed(lost=narrow(edition, lambda _: item.readers, press.datastore, press.progress))
    except InvalidInput:
        return Narrowed()  # not this bundle's to narrow; told when its turn comes
    except Exception as error:  # noqa: BLE001  one edition's trouble must not keep another's doors open
        return Narrowed(error=error)


def _with_narrowing(report: EditionReport, item: Item, narrowed: Narrowed) -> EditionReport:
    """What became of access, where the rest of the report does not say it."""
    if report.status is not Status.FAILED:
        return report
    if narrowed.error is not None:
        code = narrowed.error.exit_code if isinstance(narrowed.error, HanponError) else Unavailable.exit_code
        finding = _open_still(item, narrowed.error)
        return replace(report, findings=(*report.findings, finding), exit_code=max(report.exit_code, code))
    if narrowed.lost:
        return replace(report, findings=(*report.findings, _narrowed_all_the_same(item, narrowed.lost)))
    return report


def _open_still(item: Item, error: Exception) -> Finding:
    words = f"{item.edition}: readers who lose their access still have it, for it could not be taken away ({error})"
    return Finding("readers-not-narrowed", Severity.ERROR, item.place, words)


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
        return work.stopped(refusal.problems, refusal.exit_code)
    except HanponError as error:
        rules = {Held.exit_code: "held", UsageError.exit_code: "unusable-store"}
        rule = rules.get(error.exit_code, "unavailable")
        return work.stopped([_stopped(rule, item, error)], error.exit_code)
    except Exception as error:  # noqa: BLE001  a slip of ours in one edition must not stop the others
        return work.stopped([_slip(item, error)], InvalidInput.exit_code)


def _stopped(rule: str, item: Item, error: Exception) -> Finding:
    return Finding(rule, Severity.ERROR, item.place, str(error))


def _slip(item: Item, error: Exception) -> Finding:
    at = traceback.extract_tb(error.__traceback__)[-1]
    words = (
        f"{item.edition}: hanpon itself failed ({type(error).__name__} in {at.name}, line {at.lineno}); "
        "please report this with the definition that caused it"
    )
    return Finding("internal-error", Severity.ERROR, item.place, words)


class _Release:
    """One edition on its way from the bundle to its readers; `report` says how far it has come."""

    def __init__(self, item: Item, job: ReleaseRun, so_far: RunReport) -> None:
        self._item, self._job, self._so_far = item, job, so_far
        self.report = EditionReport(edition=item.edition, status=Status.UNCHANGED)

    def stopped(self, findings: Sequence[Finding], exit_code: int) -> EditionReport:
        """The report where the release stopped: once published, an edition stays so; before, nothing came about."""
        report = replace(self.report, findings=(*self.report.findings, *findings), exit_code=exit_code)
        if report.status is Status.PUBLISHED:
            return report
        return replace(report, status=Status.FAILED, counts=self.report.counts.all_failed)

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
                if printed.edition is None and now.manifest != found.manifest:
                    printed = self._print(now)  # what stood is no longer what is current
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
        self._afterwards("not-retired", lambda: retire(plan, job.press, publication))
        self._afterwards("run-not-recorded", self._put_on_record)
        return self.report

    def _afterwards(self, rule: str, work: Callable[[], None]) -> None:
        """What follows a publication cannot undo it: what is not done now is told, and done by the next run."""
        try:
            work()
        except Exception as error:  # noqa: BLE001  whatever it is, the edition is published
            code = error.exit_code if isinstance(error, HanponError) else Unavailable.exit_code
            findings = (*self.report.findings, _stopped(rule, self._item, error))
            self.report = replace(self.report, findings=findings, exit_code=code)

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

    def _put_on_record(self) -> None:
        """After every edition: a run that is killed later is still on record for what it published."""
        _record(replace(self._so_far, editions=(*self._so_far.editions, self.report)), self._job)


def _put_on_record_at_last(report: RunReport, job: ReleaseRun) -> None:
    """The whole report, where something was published and something else came after it."""
    published = [done.edition for done in report.editions if done.status is Status.PUBLISHED]
    if published and published[-1] != report.editions[-1].edition:
        with suppress(HanponError), job.press.storage.hold(published[-1], job.run, job.options.wait):
            _record(report, job)


def _record(report: RunReport, job: ReleaseRun) -> None:
    tree = job.workshop.tree
    at = job.now().isoformat(timespec="seconds")
    record = RunRecord(report=report, at=at, by=job.by, origin=tree.origin, ref=tree.ref)
    job.press.storage.put(f"runs/{job.run}.json", canonical_json(record.as_record()), JSON)


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
