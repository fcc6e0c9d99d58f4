"""Typed ids: standard, user-0190163d-8694-739b-aea5-966c26f8ad91; short, user_01j0b3v1mmeedtx9cpdgkfhbch.

Commands: test <vectors.json>; new <type> <count>; standard <type> and short <type> convert standard input.
Needs Python 3.10.
"""

import json
import re
import secrets
import sys
import time
from pathlib import Path
from uuid import UUID

_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32
_UUID, _SUFFIX = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", f"[0-7][{_DIGITS}]{{25}}"
_ID = re.compile(f"([a-zA-Z0-9]{{1,63}})(?:-(?P<standard>{_UUID})|_(?P<short>{_SUFFIX}))")


class TypedIdError(ValueError):
    """The text is not an id of the expected type and form. `code` is the error code of the npm package."""

    def __init__(self, code: str, expected: str, received: str) -> None:
        super().__init__(f"{code}: expected {expected}, received {received[:80]!a}")
        self.code = code


def to_text(prefix: str, uuid: UUID, form: str = "standard") -> str:
    """Return the id in the form `standard` or `short`, or raise TypedIdError for an invalid prefix."""
    if not re.fullmatch("[a-zA-Z0-9]{1,63}", prefix):
        raise TypedIdError("invalid_prefix", "[a-zA-Z0-9]{1,63}", prefix)
    digits = (_DIGITS[uuid.int >> bits & 31] for bits in range(125, -1, -5))
    return {"standard": f"{prefix}-{uuid}", "short": f"{prefix}_{''.join(digits)}"}[form]


def parse(prefix: str, text: str, form: str = "standard") -> UUID:
    """Return the UUID of an id in the form `standard` or `short`, or raise TypedIdError."""
    match = _ID.fullmatch(text)
    if match and match[1] != prefix:
        raise TypedIdError("wrong_type", prefix, text)
    if not match or not match[form]:
        raise TypedIdError(f"malformed_{form}", f"{prefix} in the {form} form", text)
    if form == "standard":
        return UUID(match[form])
    return UUID(int=sum(_DIGITS.index(digit) << 5 * i for i, digit in enumerate(reversed(match[form]))))


def uuid7() -> UUID:
    """Return a UUID of version 7: milliseconds, 12 bits of their fraction, 62 random bits (RFC 9562, 6.2)."""
    ms, ns = divmod(time.time_ns(), 1_000_000)
    return UUID(int=ms << 80 | 7 << 76 | (ns << 12) // 1_000_000 << 64 | 2 << 62 | secrets.randbits(62))


def timestamp(uuid: UUID) -> int | None:
    """Return the milliseconds since 1970 in a UUID of version 7, and None for any other UUID."""
    return uuid.int >> 80 if uuid.version == 7 else None


def _passes(prefix: str, vector: dict) -> bool:
    try:
        if "code" in vector:
            return not parse(prefix, vector["text"], vector["form"])
        uuid, forms = UUID(vector["bytes"]), ("standard", "short")
        texts = [to_text(prefix, uuid, form) for form in forms]
        uuids = [parse(prefix, text, form) for text, form in zip(texts, forms)]
        expected = [vector["standard"], vector["short"], uuid, uuid, vector["ms"]]
        return [*texts, *uuids, timestamp(uuid)] == expected
    except TypedIdError as error:
        return error.code == vector.get("code")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["test", path]:
            groups = json.loads(Path(path).read_bytes())
            vectors = groups["valid"] + groups["invalid"]
            failed = [vector for vector in vectors if not _passes(vector["prefix"], vector)]
            sys.exit(f"failed: {failed}" if failed else print(f"{len(vectors)} vectors passed"))
        case ["new", prefix, count]:
            print(*(to_text(prefix, uuid7()) for _ in range(int(count))), sep="\n")
        case ["standard" | "short" as form, prefix]:
            for text in sys.stdin.read().splitlines():
                print(to_text(prefix, parse(prefix, text, "short" if "_" in text else "standard"), form))
        case _:
            sys.exit(__doc__)
