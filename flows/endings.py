"""How a flow run ends: its artifacts, and the state that stands for an exit code."""

import logging
from typing import Any

from prefect.artifacts import create_markdown_artifact, create_table_artifact
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed

from flows.report_pages import Table

logger = logging.getLogger("prefect.flow_runs.hanpon")


def show(key: str, title: str, table: Table, page: str) -> None:
    """Keep a table and a page with the flow run. That they could not be kept undoes nothing, and is only logged."""
    try:
        if table:
            rows: list[dict[str, Any]] = [dict(row) for row in table]
            create_table_artifact(table=rows, key=f"{key}-editions", description=title)
        create_markdown_artifact(markdown=page, key=f"{key}-report", description=f"{title}, with every finding")
    except Exception as error:  # noqa: BLE001  whatever it is, the run itself is done
        logger.warning("The artifacts of this run could not be kept: %s", error)


class RunFailed(Exception):
    """A run ended with another exit code than 0; `result` is its report.

    The data of a failed run has to be an exception: Prefect raises it where somebody asks for the result.
    """

    def __init__(self, words: str, result: Any) -> None:
        super().__init__(words)
        self.result = result


def ended(words: str, exit_code: int, result: Any) -> State[Any]:
    """The state of a run that ended with an exit code: failed for every one but 0. Its result is not persisted."""
    if not exit_code:
        return Completed(message=words, data=result)
    told = f"{words} (exit code {exit_code})"
    return Failed(message=told, data=RunFailed(told, result))


def result_of(state: State[Any]) -> Any:
    """The report of a run that `ended`, failed or not; what Prefect has to say where it did not come so far."""
    found = state.result(raise_on_failure=False)
    return found.result if isinstance(found, RunFailed) else found
