"""Prints opaque.json, computed by an implementation that shares no code with ours: python3 opaque.py > opaque.json"""

import hashlib
import json

ONES = 2**64 - 1


def siphash(key: bytes, message: bytes) -> int:
    k0, k1 = (int.from_bytes(key[i : i + 8], "little") for i in (0, 8))
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def rounds(count: int) -> None:
        for _ in range(count):
            for a, b, rotation in ((0, 1, 13), (2, 3, 16), (2, 1, 17), (0, 3, 21)):
                v[a] = (v[a] + v[b]) & ONES
                v[b] = ((v[b] << rotation) | (v[b] >> 64 - rotation)) & ONES ^ v[a]
                if (a, b) in ((0, 1), (2, 1)):
                    v[a] = ((v[a] << 32) | (v[a] >> 32)) & ONES

    padded = message + bytes(-(len(message) + 1) % 8) + bytes([len(message) % 256])
    for i in range(0, len(padded), 8):
        block = int.from_bytes(padded[i : i + 8], "little")
        v[3] ^= block
        rounds(2)
        v[0] ^= block
    v[2] ^= 0xFF
    rounds(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def mask(key: bytes, message: bytes, bits: int) -> int:
    return siphash(key, message) & (1 << bits) - 1


def opaque(key: bytes, number: str, uuid: str) -> str:
    b = bytearray.fromhex(uuid.replace("-", ""))
    message = bytes([b[6] & 15, b[7], b[8] & 63, *b[9:]])
    b[:6] = (int.from_bytes(b[:6], "big") ^ mask(key, message, 48)).to_bytes(6, "big")
    b[6] ^= 7 << 4 ^ 4 << 4
    if number:
        b[0] = int(number, 16) << 4 | b[0] & 15
        bits = mask(key, bytes(b[:6] + b[10:]), 32) & 0x0FFF3FFF
        b[6:10] = (int.from_bytes(b[6:10], "big") ^ bits).to_bytes(4, "big")
    h = b.hex()
    return "-".join((h[:8], h[8:12], h[12:16], h[16:20], h[20:]))


# https://github.com/veorq/SipHash/blob/master/vectors.h, the message of 10 bytes
assert siphash(bytes(range(16)), bytes(range(10))) == int.from_bytes(bytes.fromhex("f3b9dd94c5bb5d7a"), "little")

# The example of UUIDv47 (github.com/stateless-me/uuidv47, demo.c), whose key is two numbers.
demo = (0x0123456789ABCDEF).to_bytes(8, "little") + (0xFEDCBA9876543210).to_bytes(8, "little")
cases = [(demo, "018f2d9f-9a2a-7def-8c3f-7b1a2c4d5e6f"), (bytes(16), "00000000-0000-7000-8000-000000000000"),
         (b"\xff" * 16, "0fffffff-ffff-7fff-bfff-ffffffffffff")]
for i in range(3):
    digest = hashlib.sha256(b"%d" % i).hexdigest()
    uuid = f"0{digest[1:8]}-{digest[8:12]}-7{digest[13:16]}-{'89ab'[i % 4]}{digest[17:20]}-{digest[20:32]}"
    cases.append((bytes.fromhex(digest[32:]), uuid))
vectors = [{"key": f"{number}:{key.hex()}" if number else key.hex(), "uuid": uuid, "opaque": opaque(key, number, uuid)}
           for i, (key, uuid) in enumerate(cases) for number in ("", f"{i % 16:x}")]
print("[\n" + ",\n".join(f"  {{ {json.dumps(vector)[1:-1]} }}" for vector in vectors) + "\n]")
