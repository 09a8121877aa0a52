"""How the double says no: an HTTP status, Google's word for it, and a sentence."""

from dataclasses import dataclass


@dataclass(eq=False)
class Refused(Exception):
    """A request that is refused, or a document or operation that failed; `code` is the number of google.rpc.Code."""

    code: int
    status: str
    http: int
    message: str

    def __str__(self) -> str:
        return self.message

    def body(self) -> dict[str, object]:
        """The JSON of the answer."""
        return {"error": {"code": self.http, "message": self.message, "status": self.status}}

    def sample(self) -> dict[str, object]:
        """The google.rpc.Status of one document that failed."""
        return {"code": self.code, "message": self.message}


def invalid(message: str) -> Refused:
    return Refused(3, "INVALID_ARGUMENT", 400, message)


def absent(message: str) -> Refused:
    return Refused(5, "NOT_FOUND", 404, message)


def taken(message: str) -> Refused:
    return Refused(6, "ALREADY_EXISTS", 409, message)


def forbidden(message: str) -> Refused:
    return Refused(7, "PERMISSION_DENIED", 403, message)


def exhausted(message: str) -> Refused:
    return Refused(8, "RESOURCE_EXHAUSTED", 429, message)


def unimplemented(message: str) -> Refused:
    """What the service may well do, but the double does not: a test must not pass by luck."""
    return Refused(12, "UNIMPLEMENTED", 501, message)


def unauthenticated(message: str) -> Refused:
    return Refused(16, "UNAUTHENTICATED", 401, message)
