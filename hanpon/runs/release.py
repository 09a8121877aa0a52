"""The main job: release the editions of a bundle, each whole or not at all."""

import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from hanpon.contracts.bundle import Item
from hanpon.contracts.digests import canonical_json
from hanpon.contracts.errors import Conflict, HanponError, Held, InvalidInput, Unavailable, UsageError
from hanpon.contracts.findings import Finding, Severity
from hanpon.contracts.reports import Counts, EditionReport, RunRecord, RunReport, Status
from hanpon.releases.edition_print import JSON, StoredObject
from hanpon.releases.origin import foreign_origin
from hanpon.releases.plan import Found, Plan, narrowed_readers, plan_edition
from hanpon.runs.printing import Printed, Workshop, print_item, reprint, still_stands
from hanpon.runs.publishing import Press, Publication, publish
from hanpon.runs.survey import read_manifest, read_pointer, survey
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
    if not job.options.dry_run:
        job.press.storage.tidy()
    for item in _narrowing_first(items, job):
        report = replace(report, editions=(*report.editions, _release_item(item, job, report)))
    order = [item.edition for item in items]
    return replace(report, editions=tuple(sorted(report.editions, key=lambda done: order.index(done.edition))))


def _asked_for(items: Iterable[Item], only: tuple[str, ...]) -> list[Item]:
    chosen = [item for item in items if not only or {item.name, str(item.edition)} & set(only)]
    known = {name for item in items for name in (item.name, str(item.edition))}
    unknown = [name for name in only if name not in known]
    if unknown:
        raise UsageError(
            f"--only {', '.join(unknown)}: not in the bundle; it has {', '.join(str(item.edition) for item in items)}"
        )
    return chosen


def _narrowing_first(items: Iterable[Item], job: ReleaseRun) -> list[Item]:
    """Editions whose readers lose access go before those that only gain content."""
    several = list(items)
    return sorted(several, key=lambda item: not _narrows(item, job)) if len(several) > 1 else several


def _narrows(item: Item, job: ReleaseRun) -> bool:
    try:
        pointer = read_pointer(item.edition, job.press.storage)
    except HanponError:
        return False  # told when its turn comes
    manifest = read_manifest(item.edition, pointer.manifest, job.press.storage) if pointer else None
    entries = manifest.entries if manifest else ()
    return any(narrowed_readers(entry.readers, item.readers) != entry.readers for entry in entries)


def _release_item(item: Item, job: ReleaseRun, so_far: RunReport) -> EditionReport:
    """Release one edition; what goes wrong becomes its report."""
    report = EditionReport(edition=item.edition, status=Status.FAILED)
    try:
        return _Release(item, job, so_far).carry_out()
    except InvalidInput as refusal:
        return replace(report, findings=refusal.problems, exit_code=refusal.exit_code)
    except UsageError:
        raise  # a store that cannot be used as named concerns every edition
    except HanponError as error:
        return replace(report, findings=(_stopped(item, error),), exit_code=error.exit_code)
    except Exception as error:  # noqa: BLE001  a slip of ours in one edition must not stop the others
        return replace(report, findings=(_slip(item, error),), exit_code=InvalidInput.exit_code)


def _stopped(item: Item, error: HanponError) -> Finding:
    rule = {4: "unavailable", 5: "held"}.get(error.exit_code, "stopped")
    return Finding(rule, Severity.ERROR, item.place, str(error))


def _slip(item: Item, error: Exception) -> Finding:
    at = traceback.extract_tb(error.__traceback__)[-1]
    words = (
        f"{item.edition}: hanpon itself failed ({type(error).__name__} in {at.name}, line {at.lineno}); "
        "its old state stays; please report this with the definition that caused it"
    )
    return Finding("internal-error", Severity.ERROR, item.place, words)


class _Release:
    """One edition on its way from the bundle to its readers."""

    def __init__(self, item: Item, job: ReleaseRun, so_far: RunReport) -> None:
        self._item, self._job, self._so_far = item, job, so_far

    def carry_out(self) -> EditionReport:
        job, item = self._job, self._item
        found = self._survey()
        self._refuse_foreign(found)
        printed = self._print(found)
        plan = self._plan(printed, found)
        report = self._report(plan, printed)
        if job.options.dry_run:
            return replace(report, status=Status.PLANNED)
        if plan.nothing_to_do:
            return report
        with job.press.storage.hold(item.edition, job.run, job.options.wait):
            now = self._survey()
            if now != found:
                self._refuse_foreign(now)
                plan = self._plan(printed, now)
                report = self._report(plan, printed)
            if plan.nothing_to_do:
                return report
            return self._publish(plan, now, printed, report)

    def _publish(self, plan: Plan, found: Found, printed: Printed, report: EditionReport) -> EditionReport:
        job = self._job
        if plan.create and printed.edition is None:  # an object is damaged that the manifest still names
            printed = print_item(self._item, job.workshop)
            plan = self._plan(printed, found)
        objects: Mapping[str, StoredObject] = printed.edition.objects if printed.edition else {}
        try:
            publish(plan, found, objects, job.press, self._publication())
        except (Conflict, Held, Unavailable) as error:
            stopped = _stopped(self._item, error)
            return replace(
                report,
                status=Status.FAILED,
                counts=plan.counts.all_failed,
                findings=(*report.findings, stopped),
                exit_code=error.exit_code,
            )
        report = replace(report, status=Status.PUBLISHED)
        self._keep_report(report)
        return report

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
        manifest = printed.edition.manifest if printed.edition else found.manifest
        assert manifest is not None  # noqa: S101  an edition is not printed only where its manifest stands
        plan = plan_edition(manifest, found)
        if plan.removes_too_much and not self._job.options.allow_removals:
            raise InvalidInput([_too_many_removals(self._item, plan.counts)])
        return plan

    def _refuse_foreign(self, found: Found) -> None:
        if self._job.options.take_over:
            return
        foreign = foreign_origin(found.pointer, self._job.workshop.tree.origin, self._item.place)
        if foreign is not None:
            raise InvalidInput([foreign])

    def _report(self, plan: Plan, printed: Printed) -> EditionReport:
        return EditionReport(
            edition=self._item.edition,
            status=Status.UNCHANGED,
            counts=plan.counts,
            names=printed.names,
            findings=printed.findings,
        )

    def _keep_report(self, report: EditionReport) -> None:
        """Written after every edition: a run that is killed later is still on record for what it published."""
        job = self._job
        record = RunRecord(
            report=replace(self._so_far, editions=(*self._so_far.editions, report)),
            at=job.now().isoformat(timespec="seconds"),
            by=job.by,
            origin=job.workshop.tree.origin,
            ref=job.workshop.tree.ref,
        )
        job.press.storage.put(f"runs/{job.run}.json", canonical_json(record.as_record()), JSON)


def _too_many_removals(item: Item, counts: Counts) -> Finding:
    words = (
        f"{item.edition}: the release would remove {counts.removed} documents and leave {counts.documents}; "
        "if that is meant, pass --allow-removals"
    )
    return Finding("too-many-removals", Severity.ERROR, item.place, words)
