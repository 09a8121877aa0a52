"""Values that look like secrets, made anew by a seeded generator: none stands in a file of this project."""

import base64
import json
from dataclasses import dataclass
from random import Random

LOWER = "abcdefghijkmnpqrstuvwxyz"
UPPER = "ABCDEFGHJKLMNPQRSTUVWXYZ"
DIGITS = "23456789"
SIGNS = LOWER + UPPER + DIGITS


@dataclass(frozen=True)
class Values:
    """Makes values of one shape each; equal seeds make equal values."""

    random: Random

    def of(self, alphabet: str, length: int) -> str:
        return "".join(self.random.choice(alphabet) for _ in range(length))

    def signs(self, length: int) -> str:
        """Letters and digits, with one of each kind at least."""
        made = [self.of(LOWER, 1), self.of(UPPER, 1), self.of(DIGITS, 1), *self.of(SIGNS, length - 3)]
        self.random.shuffle(made)
        return "".join(made)

    def hexadecimal(self, length: int) -> str:
        return "b7" + self.of("0123456789abcdef", length - 2)

    def password(self) -> str:
        """What a person is given: letters and digits, eight to twelve."""
        return self.of(UPPER, 1) + self.of(LOWER, 3) + self.of(DIGITS, 2) + self.signs(self.random.randint(3, 6))

    def strong(self) -> str:
        """The same with a mark in it."""
        return self.of(LOWER, 3) + self.of("!#%+*", 1) + self.of(UPPER, 2) + self.of(DIGITS, 3) + self.of(LOWER, 2)

    def weak(self) -> str:
        """A word of no language and a digit."""
        return (
            self.of("bdfgkmnprt", 1) + self.of("aeiou", 1) + self.of("bdfgkmnprt", 2) + "o" + self.of("kmz", 2) + "7"
        )

    def private_address(self) -> str:
        block = self.random.choice(["10.{}.{}.{}", "192.168.{}.{}", "172.20.{}.{}"])
        return block.format(*(self.random.randint(1, 250) for _ in range(3)))

    def host(self) -> str:
        return f"{self.of(LOWER, 4)}db{self.random.randint(1, 99):02}"

    def port(self) -> int:
        return self.random.choice([5432, 3306, 1521, 6379, 27017, 8443, 1433])

    def jwt(self) -> str:
        parts = [{"alg": "HS256", "typ": "JWT"}, {"sub": self.signs(12), "tenant": self.signs(9)}]
        heads = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]
        return ".".join([*heads, self.signs(43)])

    def basic(self) -> str:
        return base64.b64encode(f"batch{self.of(LOWER, 3)}:{self.password()}".encode()).decode()

    def key_body(self, lines: int = 6, end: str = "\n") -> str:
        return end.join(self.signs(64) for _ in range(lines))

    def pem(self, kind: str = "RSA ", end: str = "\n") -> str:
        line = f"{kind}PRIVATE KEY-----"
        return f"-----BEGIN {line}{end}{self.key_body(6, end)}{end}-----END {line}"
