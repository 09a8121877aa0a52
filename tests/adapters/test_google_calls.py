"""What Google's services answer where they fail, as hanpon tells it."""

from contextlib import AbstractContextManager

import pytest
from google.api_core import exceptions as refusals
from google.api_core.exceptions import RetryError
from google.longrunning import operations_pb2
from google.protobuf import json_format

from hanpon.adapters.google_calls import google_errors_in_words, passes
from hanpon.contracts.errors import Unavailable, UsageError


def not_of_the_api(text: str) -> json_format.ParseError:
    """What the libraries raise where an answer with status 200 is this text."""
    with pytest.raises(json_format.ParseError) as raised:
        json_format.Parse(text, operations_pb2.Operation())
    return raised.value


@pytest.mark.parametrize(
    "text", ["", "<html>log in", '{"name": 3}', '{"metadata": {"@type": "type.googleapis.com/no.such.Message"}}']
)
def test_an_answer_that_is_not_the_api_s_may_be_better_the_next_time(text: str) -> None:
    error = not_of_the_api(text)
    assert passes(error)
    with pytest.raises(Unavailable, match="the store: the answer is not what the API promises"), told():
        raise error
    with pytest.raises(Unavailable, match="no success after all tries; last: the answer is not"), told():
        raise RetryError("too long", error)


def test_of_a_page_only_its_words_are_told() -> None:
    page = "<!DOCTYPE html>\n<html><title>Proxy</title><p class='a'>Not for you</html>"
    with pytest.raises(UsageError, match=r"the store: not permitted \(Proxy Not for you\)"), told():
        raise refusals.Forbidden(f"POST https://h/v1/x: {page}")


def told() -> AbstractContextManager[None]:
    return google_errors_in_words("the store")
