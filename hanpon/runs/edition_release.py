"""One edition on its way from the bundle to its readers."""

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from hanpon.contracts.bundle import Item
from hanpon.contracts.errors import HanponError, InvalidInput, Unavailable
from hanpon.contracts.findings import Finding, Severity
from hanpon.contracts.manifests import Entry
from hanpon.contracts.publications import Pointer
from hanpon.contracts.reports import Counts, EditionReport, Intent, RunReport, Status
from hanpon.releases.drift import unverifiable
from hanpon.releases.edition_print import StoredObject
from hanpon.releases.origin import foreign_origin, older_ref
from hanpon.releases.plan import Found, Plan, plan_edition
from hanpon.runs.intending import intent_of
from hanpon.runs.narrowing import readers_by_source
from hanpon.runs.printing import Printed, print_item, reprint, still_stands
from hanpon.runs.publishing import Publication, publish, retire
from hanpon.runs.release_job import ReleaseRun, record_run
from hanpon.runs.survey import survey
from renderers.edition_index import render_index


def release_edition(item: Item, link_base: str, job: ReleaseRun, so_far: RunReport) -> EditionReport:
    """Release one edition; what goes wrong becomes its report. `so_far` is what the run has done before it."""
    work = _Release(item, link_base, job, so_far)
    try:
        return work.carry_out()
    except InvalidInput as refusal:
        return work.stopped(refusal.problems, refusal.exit_code)
    except HanponError as error:
        return work.stopped([_stopped(error.rule, item, error)], error.exit_code)
    except MemoryError:
        short = Unavailable(
            f"{item.edition}: the machine has not enough memory for it; free some, or split its files"
        )
        return work.stopped([_stopped(short.rule, item, short)], short.exit_code)
    except Exception as error:  # noqa: BLE001  a slip of ours in one edition must not stop the others
        return work.stopped([_slip(item, error)], InvalidInput.exit_code)


def _stopped(rule: str, item: Item, error: Exception) -> Finding:
    return Finding(rule, Severity.ERROR, item.place, str(error))


def _slip(item: Item, error: Exception) -> Finding:
    at = traceback.extract_tb(error.__traceback__)[-1]
    words = (
        f"{item.edition}: hanpon itself failed ({type(error).__name__} in {at.name}, line {at.lineno}); "
        "please report this with the files that caused it"
    )
    return Finding("internal-error", Severity.ERROR, item.place, words)


@dataclass(frozen=True, slots=True)
class _Prepared:
    """An edition printed and planned against what was found; nothing is written yet."""

    found: Found
    printed: Printed
    plan: Plan


class _Release:
    """One edition on its way from the bundle to its readers; `report` says how far it has come."""

    def __init__(self, item: Item, link_base: str, job: ReleaseRun, so_far: RunReport) -> None:
        self._item, self._link_base, self._job, self._so_far = item, link_base, job, so_far
        self.report = EditionReport(edition=item.edition, status=Status.UNCHANGED)

    def stopped(self, findings: Sequence[Finding], exit_code: int) -> EditionReport:
        """The report where the release stopped: once published, an edition stays so; before, nothing came about."""
        report = replace(self.report, findings=(*self.report.findings, *findings), exit_code=exit_code)
        if report.status is Status.PUBLISHED:
            return report
        return replace(report, status=Status.FAILED, counts=self.report.counts.all_failed)

    def carry_out(self) -> EditionReport:
        steps, edition = self._job.steps, self._item.edition
        prepared = steps.take("print", edition, self._prepare)
        if self._job.options.dry_run:
            return replace(self.report, status=Status.PLANNED)
        if prepared.plan.nothing_to_do:
            return self.report
        return steps.take("publish", edition, lambda: self._publish_held(prepared))

    def _prepare(self) -> _Prepared:
        found = self._survey()
        refuse_stranger(self._item, self._job, found.pointer)
        printed = self._print(found)
        return _Prepared(found, printed, self._plan(printed, found))

    def _publish_held(self, prepared: _Prepared) -> EditionReport:
        """Hold the edition, plan again where it has moved since, and do what the plan says."""
        if self.report.status is Status.PUBLISHED:  # by a former try, after which the edition was not let go
            return self.report
        job, found, printed, plan = self._job, prepared.found, prepared.printed, prepared.plan
        with job.press.storage.hold(self._item.edition, job.run, job.options.wait):
            now = self._survey()
            if now != found:
                refuse_stranger(self._item, job, now.pointer)
                if printed.edition is None and now.manifest != found.manifest:
                    printed = self._print(now)  # what stood is no longer what is current
                plan = self._plan(printed, now)
            if plan.nothing_to_do:
                return self.report
            return self._publish(plan, now, printed)

    def _intent(self, plan: Plan, found: Found, printed: Printed) -> Intent:
        """What a dry run says."""
        if plan.create and printed.edition is None:
            printed = print_item(self._item, self._job.workshop)
        made = printed.edition.objects if printed.edition else {}

        def page_of(entry: Entry) -> bytes:
            return made[entry.key].data if entry.key in made else self._job.press.storage.read(entry.key)

        readers_of = readers_by_source(self._item, self._job.workshop.tree)
        return intent_of(plan, found, readers_of, page_of)

    def _publish(self, plan: Plan, found: Found, printed: Printed) -> EditionReport:
        job = self._job
        if plan.create and printed.edition is None:  # an object is damaged that the manifest still names
            printed = print_item(self._item, job.workshop)
            plan = self._plan(printed, found)
        objects: Mapping[str, StoredObject] = printed.edition.objects if printed.edition else {}
        publication = self._publication()
        publish(plan, found, objects, job.press, publication)
        self.report = replace(self.report, status=Status.PUBLISHED)
        if plan.upsert:
            self._afterwards("unavailable", lambda: self._tell_of_unseen(len(plan.target.entries)))
        self._afterwards("not-retired", lambda: retire(plan, job.press, publication))
        self._afterwards("run-not-recorded", self._put_on_record)
        return self.report

    def _tell_of_unseen(self, rows: int) -> None:
        edition = self._item.edition
        unseen = len(self._job.press.datastore.unseen(edition))
        if unseen:
            findings = (*self.report.findings, unverifiable(edition, unseen, rows))
            self.report = replace(self.report, findings=findings)

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
            link_base=self._link_base,
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
        """The plan, and the report of what it would do.

        Raises InvalidInput where it removes too much, or holds what the datastore would never take.
        """
        manifest = printed.edition.manifest if printed.edition else found.manifest
        assert manifest is not None  # noqa: S101  an edition is not printed only where its manifest stands
        options = self._job.options
        taken_over_by = self._job.workshop.tree.origin if options.take_over else ""
        plan = plan_edition(manifest, found, self._link_base, taken_over_by)
        findings = [*printed.findings]
        if found.damaged:
            findings.append(_damaged(self._item))
        if plan.before and not plan.counts.documents:
            findings.append(_emptied(self._item, plan.before))
        self.report = replace(self.report, counts=plan.counts, names=printed.names, findings=tuple(findings))
        if options.dry_run:
            self.report = replace(self.report, intent=self._intent(plan, found, printed))
        if plan.removes_too_much and not options.allow_removals:
            raise InvalidInput([_too_many_removals(self._item, plan.counts)])
        if refused := self._job.press.datastore.refused(plan.upsert):
            raise InvalidInput(refused)
        return plan

    def _put_on_record(self) -> None:
        """After every edition: a run that is killed later is still on record for what it published."""
        record_run(replace(self._so_far, editions=(*self._so_far.editions, self.report)), self._job)


def refuse_stranger(item: Item, job: ReleaseRun, pointer: Pointer | None) -> None:
    """Raises InvalidInput where the edition is another bundle's, or was published from a newer tag."""
    tree = job.workshop.tree
    foreign = None if job.options.take_over else foreign_origin(pointer, tree.origin, item.place)
    strange = foreign or older_ref(pointer, tree.ref, item.place)
    if strange is not None:
        raise InvalidInput([strange])


def _damaged(item: Item) -> Finding:
    words = f"{item.edition}: its manifest was gone or damaged, so the edition was printed and planned anew"
    return Finding("manifest-damaged", Severity.WARNING, item.place, words)


def _emptied(item: Item, before: int) -> Finding:
    words = f"{item.edition}: nothing in it makes a document any more, so none of {before} documents remains"
    return Finding("edition-emptied", Severity.WARNING, item.place, words)


def _too_many_removals(item: Item, counts: Counts) -> Finding:
    words = (
        f"{item.edition}: the release would remove {counts.removed} documents and leave {counts.documents}; "
        "if that is meant, pass --allow-removals"
    )
    return Finding("too-many-removals", Severity.ERROR, item.place, words)
