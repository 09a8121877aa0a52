"""Which document a failure of an import is about."""

import pytest

from hanpon.adapters.vertex_documents import Line
from hanpon.adapters.vertex_failures import Failures
from hanpon.contracts.errors import InvalidInput

FOLDER = "gs://bucket/a folder/"
SHORT, LONG = f"{FOLDER}api/customer/v1/list.html", f"{FOLDER}api/customer/v1/list.html.pdf"


def line(identifier: str, source: str) -> Line:
    return Line(
        id=identifier,
        key="api/customer/v1/list.html",
        media_type="text/html",
        content="0" * 64,
        metadata={"source": source},
        readers=("all",),
    )


SENT = {SHORT: line("api-short-1", "short.yaml#/paths"), LONG: line("api-long-2", "long.yaml#/paths")}


@pytest.mark.parametrize(
    ("message", "file"),
    [
        (f"cannot read {SHORT}.", "short.yaml"),
        (f"({LONG}) is no PDF", "long.yaml"),
        (f"first gs://elsewhere/x, then '{SHORT}'", "short.yaml"),
        ("document api-long-2: too many fields", "long.yaml"),
        ("something went wrong", ""),
    ],
)
def test_a_failure_is_of_the_document_that_its_message_names(message: str, file: str) -> None:
    failures = Failures(SENT)
    failures.add([(3, message)])
    with pytest.raises(InvalidInput) as raised:
        failures.judge("importing", taken=1, failed=1, sent=2)
    (finding,) = raised.value.problems
    assert finding.where.file == file
    assert message in finding.message


def test_each_of_many_failures_is_told_with_its_document() -> None:
    sent = {
        f"{FOLDER}api/customer/v1/{number}.html": line(f"api-{number}", f"{number}.yaml") for number in range(20_000)
    }
    failures = Failures(sent)
    failures.add((7, f"cannot read {uri}: not permitted") for uri in sent)
    assert list(failures.samples.values()) == list(sent.values())
