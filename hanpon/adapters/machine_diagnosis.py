"""What this machine's Python offers: interpreter, libyaml, SQLite, the packages that hanpon requires."""

import sqlite3
import sys
from importlib.metadata import PackageNotFoundError, version

import yaml

from hanpon.contracts.diagnoses import Diagnosis

OLDEST_PYTHON = (3, 11)

PACKAGES = (
    "beautifulsoup4", "click", "comrak-ext", "detect-secrets", "google-api-core", "google-auth",
    "google-cloud-discoveryengine", "google-cloud-storage", "google-crc32c", "jinja2", "jsonschema-path",
    "jsonschema-rs", "lark", "lxml", "markdown", "markupsafe", "nh3", "openapi-spec-validator", "openpyxl",
    "prefect", "pydantic", "pymdown-extensions", "pypdf", "python-docx", "python-pptx", "pyyaml", "requests",
    "rich", "urllib3",
)  # fmt: skip
"""What hanpon requires. Many are imported on demand, so that their lack would show late."""


def diagnose_machine() -> list[Diagnosis]:
    """One diagnosis for each part of the machine that hanpon needs. Packages are looked up, not imported."""
    return [_python(), _libyaml(), _sqlite(), *map(_package, PACKAGES)]


def _python() -> Diagnosis:
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info >= OLDEST_PYTHON:
        return Diagnosis(subject="Python", found=found)
    return Diagnosis(subject="Python", found=found, advice="install Python 3.11 or newer", exit_code=2)


def _libyaml() -> Diagnosis:
    if yaml.__with_libyaml__:
        return Diagnosis(subject="libyaml", found=f"PyYAML {yaml.__version__} with libyaml")
    advice = "install a PyYAML wheel that has libyaml: pip install --force-reinstall --only-binary :all: pyyaml"
    return Diagnosis(subject="libyaml", found="PyYAML without libyaml", advice=advice, exit_code=2)


def _sqlite() -> Diagnosis:
    found = f"SQLite {sqlite3.sqlite_version}"
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
    except sqlite3.Error:
        advice = "use a Python whose SQLite has FTS5"
        return Diagnosis(subject="SQLite", found=f"{found} without FTS5", advice=advice, exit_code=2)
    finally:
        connection.close()
    return Diagnosis(subject="SQLite", found=f"{found} with FTS5")


def _package(name: str) -> Diagnosis:
    try:
        return Diagnosis(subject=name, found=version(name))
    except PackageNotFoundError:
        return Diagnosis(subject=name, found="not installed", advice=f"pip install {name}", exit_code=2)
