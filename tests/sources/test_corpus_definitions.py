"""Real definitions: what is sound stays unremarked, and what is remarked is true."""

import re
from collections import Counter

import pytest

from hanpon.contracts.findings import Severity
from hanpon.sources.definitions.checks import check_definition
from hanpon.sources.definitions.files import open_definition
from hanpon.sources.texts.structured_text import parse
from tests.corpus import corpus_tree

pytestmark = pytest.mark.corpus

ROOT_KEY = re.compile(rb'^\s*"?(openapi|swagger)"?\s*:', re.MULTILINE)
GITHUB = "api.github.com.json"

KNOWN = {
    "oai-3.1-pass/operation-object-example.yaml": {
        "path-parameter-undeclared": 1,
        "path-parameter-unused": 1,
        "security-scheme-undefined": 1,
    },
    "oai-3.1-pass/parameter-object-examples.yaml": {"path-parameter-unused": 1},
    "oai-3.1-pass/security-scheme-object-examples.yaml": {"reference-remote": 1},
    "github/api.github.com.json": {"paths-alike": 2},
    "digitalocean-multifile/2025-06-30/DigitalOcean-public.v2.yaml": {"unknown-key": 96, "wrong-type": 1},
    "digitalocean-multifile/2026-08-07/DigitalOcean-public.v2.yaml": {"unknown-key": 98, "wrong-type": 2},
}
"""Looked at one by one: DigitalOcean writes references in the place of operations and descriptions, the rest are
examples of the specification that leave out what they do not show."""


@pytest.mark.parametrize(
    "folder",
    [
        "digitalocean-multifile",
        "freee-accounting",
        "github",
        "kubernetes-2.0",
        "line",
        "oai-3.1-pass",
        "oai-examples",
        "redocly",
        "soracom",
        "stripe",
    ],
)
def test_real_definitions_have_the_findings_that_were_looked_at_and_no_others(folder: str) -> None:
    tree = corpus_tree(folder)
    for path in filter(lambda path: ROOT_KEY.search(tree.read(path)[:3000]), tree.paths()):
        found = check_definition(open_definition(tree, path))
        assert Counter(one.rule for one in found) == KNOWN.get(f"{folder}/{path}", {}), path
        assert all(one.where.line for one in found)


def test_many_files_are_one_definition() -> None:
    opened = open_definition(corpus_tree("redocly"), "cafe-split/cafe.yaml")
    assert not [one for one in check_definition(opened) if one.severity is Severity.ERROR]
    assert len(opened.files) == 40


def test_numbers_and_texts_of_a_real_yaml_file_are_what_they_were_meant_to_be() -> None:
    stripe = parse(corpus_tree("stripe").read("v241/spec3.yaml"), "spec3.yaml")
    assert isinstance(stripe["info"]["version"], str)
    assert stripe["openapi"] == "3.0.0"
