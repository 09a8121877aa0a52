"""The main job: release the editions of a bundle, each whole or not at all."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from hanpon.contracts.bundle import Item
from hanpon.contracts.editions import Edition
from hanpon.contracts.errors import InvalidInput, Unavailable, UsageError
from hanpon.contracts.reports import RunReport
from hanpon.runs.edition_release import refuse_stranger, release_edition
from hanpon.runs.narrowing import Narrowed, narrow, readers_by_source, wants_narrowing, with_narrowing
from hanpon.runs.release_job import ReleaseRun, put_on_record_at_last
from hanpon.runs.survey import read_pointer
from hanpon.sources.bundles.reader import read_bundle


def release(job: ReleaseRun) -> RunReport:
    """Release every edition of the bundle that is asked for.

    A bundle that is itself wrong is refused whole; a bad edition fails alone, and its old state stays. Raises
    UsageError where something is asked for that the bundle has not.
    """
    report = RunReport(run=job.run, dry_run=job.options.dry_run)
    try:
        bundle = read_bundle(job.workshop.tree)
        items = _asked_for(bundle.items, job.options.only)
        job = replace(job, workshop=replace(job.workshop, claimed=bundle.claimed))
    except InvalidInput as refusal:
        return replace(report, findings=refusal.problems, exit_code_of_run=refusal.exit_code)
    narrowed: dict[Edition, Narrowed] = {}
    if not job.options.dry_run:
        with suppress(Unavailable):  # what cannot be tidied now disturbs nobody
            job.press.storage.tidy()
        narrowed = {item.edition: _narrow_first(item, job) for item in items}
    for item in items:
        done = release_edition(item, bundle.link_base, job, report)
        done = with_narrowing(done, item, narrowed.get(item.edition, Narrowed()))
        report = replace(report, editions=(*report.editions, done))
    put_on_record_at_last(report, job)
    return report


def _narrow_first(item: Item, job: ReleaseRun) -> Narrowed:
    """Readers who lose access lose it before anything else is done, whatever becomes of the release."""
    edition, press = item.edition, job.press
    try:
        readers_of = readers_by_source(item, job.workshop.tree)
        if not wants_narrowing(edition, readers_of, press):
            return Narrowed()
    except Exception:  # noqa: BLE001  whatever it is, the edition's turn will meet it again, and tell it
        return Narrowed()

    def taken_away() -> Narrowed:
        with press.storage.hold(edition, job.run, job.options.wait):
            refuse_stranger(item, job, read_pointer(edition, press.storage))
            return Narrowed(lost=narrow(edition, readers_of, press))

    try:
        return job.steps.take("narrow", edition, taken_away)
    except InvalidInput:
        return Narrowed()  # not this bundle's to narrow; told when its turn comes
    except Exception as error:  # noqa: BLE001  one edition's trouble must not keep another's doors open
        return Narrowed(error=error)


def _asked_for(items: Iterable[Item], only: tuple[str, ...]) -> list[Item]:
    chosen = [item for item in items if not only or {item.name, str(item.edition)} & set(only)]
    known = {name for item in items for name in (item.name, str(item.edition))}
    unknown = [name for name in only if name not in known]
    if unknown:
        raise UsageError(
            f"--only {', '.join(unknown)}: not in the bundle; it has {', '.join(str(item.edition) for item in items)}"
        )
    return chosen
