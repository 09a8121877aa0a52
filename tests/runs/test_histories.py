"""Whatever happened before: what a release leaves is what a first release of the same bundle would make."""

import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from hanpon.adapters.file_storage import FileStorage
from hanpon.contracts.errors import Unavailable
from tests.runs.bundles import Desk
from tests.runs.kinds import ANSWERS, FILES, desk_of_all_kinds, write_answers

PATHS = st.lists(st.sampled_from(["/a", "/b", "/c/{id}", "/d"]), unique=True, min_size=1)
PEOPLE = st.lists(
    st.sampled_from(["group:a@example.co.jp", "group:b@example.co.jp", "user:c@example.co.jp", "all"]),
    unique=True,
    min_size=1,
)
WORDS = st.sampled_from(["Short ones.", "第4条 短い名前。", "`GET /a` & <b>more</b>", "v9 is another version"])


class Histories(RuleBasedStateMachine):
    """A bundle of all kinds under change, its stores, and accidents to them."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.desk = desk_of_all_kinds(self.folder / "desk")
        self.is_released = False

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @initialize()
    def begin(self) -> None:
        """A first release, so that something stands."""
        self.release()

    @rule(paths=PATHS, summary=st.sampled_from(["Does it", "Does that"]))
    def change_the_definition(self, paths: list[str], summary: str) -> None:
        lines = ["openapi: 3.0.3", "info: {title: Shop, version: '1'}", "paths:"]
        for path in paths:
            declared = ", parameters: [{name: id, in: path, required: true, schema: {type: string}}]"
            responses = "responses: {'200': {description: fine}}"
            lines.append(f"  '{path}': {{get: {{summary: {summary}{declared * ('{' in path)}, {responses}}}}}")
        self._put("shop.yaml", "\n".join(lines) + "\n")

    @rule(people=PEOPLE, file=st.sampled_from(["plans/flow.md", "plans/stock.docx", "plans/C#.md"]))
    def change_who_may_see_a_design(self, people: list[str], file: str) -> None:
        rows = [line for line in str(self._text("access.csv")).splitlines() if not line.startswith(file)]
        self._put("access.csv", "\n".join([*rows, f"{file},{';'.join(people)}"]) + "\n")

    @rule(words=WORDS)
    def change_a_guideline(self, words: str) -> None:
        self._put("rules/java.md", str(FILES["rules/java.md"]).replace("Short ones.", words))

    @rule(answered=st.sampled_from([ANSWERS, ANSWERS[:1], ()]))
    def change_the_answers(self, answered: tuple[dict[str, object], ...]) -> None:
        write_answers(self.desk, *answered)
        self.is_released = False

    @rule()
    def break_the_definition(self) -> None:
        self._put("shop.yaml", "openapi: 3.0.3\npaths: {'/a': {get: {}}}\n")

    @precondition(lambda self: self.is_released)
    @rule(which=st.integers(0, 100))
    def lose_an_object(self, which: int) -> None:
        objects = sorted(
            path for path in self.desk.storage.rglob("*.*") if path.is_file() and path.name != "current.json"
        )
        objects[which % len(objects)].unlink()
        self.is_released = False

    @rule()
    def lose_the_database(self) -> None:
        for path in self.desk.folder.glob("hanpon.db*"):
            path.unlink()
        self.is_released = False

    @rule()
    def withdraw_an_edition(self) -> None:
        self.desk.run("withdraw", "past", "ALL")
        self.is_released = False

    @rule(failing_write=st.integers(1, 40))
    def release_on_a_disk_that_fails(self, failing_write: int) -> None:
        code = self._with_failing_writes(failing_write, lambda: self.desk.release("--allow-removals").exit_code)
        assert code in (0, 3, 4)
        self.is_released = False

    @rule()
    def look_at_what_a_release_would_do(self) -> None:
        before = self.desk.files()
        assert self.desk.release("--dry-run", "--allow-removals").exit_code in (0, 3)
        assert self.desk.files() == before

    @rule()
    def rebuild(self) -> None:
        assert self.desk.run("datastore", "rebuild").exit_code in (0, 4)

    @rule()
    def release(self) -> None:
        self.is_released = self.desk.release("--allow-removals", "--take-over").exit_code == 0

    @invariant()
    def what_is_released_is_what_a_first_release_makes(self) -> None:
        if not self.is_released:
            return
        assert self.desk.run("check", "--dry-run").exit_code == 0
        fresh = Desk(self.folder / "fresh")
        shutil.rmtree(fresh.folder, ignore_errors=True)
        shutil.copytree(self.desk.bundle, fresh.bundle)
        shutil.copytree(self.desk.folder / "cache", fresh.folder / "cache")  # its verdicts count in no promise
        assert fresh.release().exit_code == 0
        assert served(self.desk) == served(fresh)

    @invariant()
    def nobody_reads_what_the_access_file_does_not_grant(self) -> None:
        if self.is_released:
            granted = dict(line.split(",") for line in str(self._text("access.csv")).splitlines()[1:])
            listed = json.loads(self.desk.run("documents", "plans", "ALL", "--json").stdout)
            readers = {document["metadata"]["source"]: document["readers"] for document in listed}
            assert readers == {file: sorted(people.split(";")) for file, people in granted.items()}

    def _text(self, name: str) -> str:
        return (self.desk.bundle / name).read_text("utf-8")

    def _put(self, name: str, text: str) -> None:
        self.desk.put(name, text)
        self.is_released = False

    @staticmethod
    def _with_failing_writes(first: int, work: Callable[[], int]) -> int:
        """Every write to storage from the `first` on fails, as on a full disk."""
        written, write = 0, FileStorage._write

        def failing(storage: FileStorage, path: str, data: bytes, **options: Any) -> None:
            nonlocal written
            written += 1
            if written >= first:
                raise Unavailable("the disk is full")
            write(storage, path, data, **options)

        FileStorage._write = failing  # type: ignore[assignment, method-assign]
        try:
            return work()
        finally:
            FileStorage._write = write  # type: ignore[method-assign]


def served(desk: Desk) -> tuple[Any, list[Any]]:
    """What readers are served: the documents of every edition, names, and all rows."""
    editions = sorted(path.parent for path in desk.storage.glob("*/*/*/current.json"))
    looked_up = [
        desk.run(command, edition.parent.name, edition.name, "--json").stdout
        for edition in editions
        for command in ("documents", "names")
    ]
    return looked_up, desk.rows()


def test_what_a_release_leaves_is_what_a_first_release_would_make() -> None:
    run_state_machine_as_test(
        Histories,
        settings=settings(
            max_examples=12, stateful_step_count=8, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
