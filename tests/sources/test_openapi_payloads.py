"""Examples as they are printed."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.texts import clean
from hanpon.sources.openapi.payloads import indented_json, payload_text

values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(values)
def test_json_is_indented_as_the_standard_library_does(value: Any) -> None:
    assert indented_json(value) == json.dumps(value, ensure_ascii=False, indent=2)


@given(values | st.sampled_from(["\x7f", "\x00", ["\x7f"], {"\x85": "\r\n"}]))
def test_an_example_is_printed_without_what_no_page_can_hold(value: Any) -> None:
    for media_type in ("", "application/json", "text/plain"):
        text, _ = payload_text(value, media_type)
        assert text == clean(text)
