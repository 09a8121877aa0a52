"""What printing says of a definition beside its pages."""

import gc
import json
from pathlib import Path

from tests.runs.bundles import Desk

HEAD = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n"


def desk_with(folder: Path, text: str) -> Desk:
    desk = Desk(folder)
    desk.write("/a")
    desk.put("shop.yaml", text)
    return desk


def with_schema(schema: str) -> str:
    content = f"{{application/json: {{schema: {schema}}}}}"
    return HEAD + f"paths: {{/a: {{get: {{responses: {{'200': {{description: d, content: {content}}}}}}}}}}}\n"


def test_a_table_that_ends_early_is_a_warning_of_the_run_with_its_line(tmp_path: Path) -> None:
    properties = {f"p{number}": {"type": "string"} for number in range(2000)}
    schema = {"type": "object", "properties": {"a": {"type": "object", "properties": properties}}}
    result = desk_with(tmp_path, with_schema(json.dumps(schema))).release()
    assert result.exit_code == 0
    assert "1701 of the 2000 fields of `a` are not on any page" in result.stderr
    assert "shop.yaml:3" in result.stderr


def test_a_reference_that_leads_nowhere_is_told_once(tmp_path: Path) -> None:
    schema = "{$ref: '#/components/schemas/Custmer'}"
    text = with_schema(schema) + "components: {schemas: {Customer: {type: string}}}\n"
    result = desk_with(tmp_path, text).release()
    assert result.exit_code == 3
    assert result.stderr.count("cannot be followed") == 1


def test_the_collector_works_again_after_printing_whatever_came_of_it(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, with_schema("{type: string}"))
    assert desk.release().exit_code == 0
    assert gc.isenabled()
    desk.put("shop.yaml", "openapi: 3.0.3\ninfo: [1\n")
    assert desk.release().exit_code == 3
    assert gc.isenabled()
