"""Writes zip archives encrypted with ZipCrypto, which `zipfile` can only read."""

import struct
import zlib
from collections.abc import Mapping

LOCAL = struct.Struct("<4s5H3L2H")
CENTRAL = struct.Struct("<4s6H3L5H2L")
END = struct.Struct("<4s4H2LH")
DEFLATED = 8


def encrypted_zip(
    members: Mapping[str, bytes], password: str, method: int = DEFLATED
) -> bytes:
    """An archive of the members; `method` is the packing that it claims."""
    body, directory = b"", b""
    for name, content in members.items():
        crc = zlib.crc32(content)
        # Twelve bytes that should be random; the last one checks the password.
        data = bytes(11) + bytes([crc >> 24]) + zlib.compress(content, wbits=-15)
        packed = _encrypt(data, password.encode())
        # Version, flags (bit 0: encrypted), packing, time, date, and the sizes.
        common = (20, 1, method, 0, 33, crc, len(packed), len(content), len(name), 0)
        directory += CENTRAL.pack(b"PK\1\2", 20, *common, 0, 0, 0, 0, len(body))
        directory += name.encode()
        body += LOCAL.pack(b"PK\3\4", *common) + name.encode() + packed
    count = len(members)
    sizes = (len(directory), len(body))
    return body + directory + END.pack(b"PK\5\6", 0, 0, count, count, *sizes, 0)


def _encrypt(data: bytes, password: bytes) -> bytes:
    """PKWARE's appnote.txt, section 6.1."""
    keys = [0x12345678, 0x23456789, 0x34567890]

    def step(byte: int) -> None:
        keys[0] = _crc_step(keys[0], byte)
        keys[1] = ((keys[1] + (keys[0] & 0xFF)) * 134775813 + 1) & 0xFFFFFFFF
        keys[2] = _crc_step(keys[2], keys[1] >> 24)

    for byte in password:
        step(byte)
    out = bytearray()
    for byte in data:
        mask = keys[2] | 2
        out.append(byte ^ ((mask * (mask ^ 1)) >> 8 & 0xFF))
        step(byte)
    return bytes(out)


def _crc_step(key: int, byte: int) -> int:
    return zlib.crc32(bytes([byte]), key ^ 0xFFFFFFFF) ^ 0xFFFFFFFF
