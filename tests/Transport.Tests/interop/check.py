"""Decodes the MessagePack values of one file, prints each in one line, and encodes them again into another.

    check.py IN OUT      exit 3: python3-msgpack is missing

The lines are those of Tree.Describe in the tests, which compares them and the bytes.
"""
import struct
import sys

try:
    import msgpack
except ImportError as missing:
    print(missing, file=sys.stderr)
    sys.exit(3)


def describe(value):
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return "int %d" % value
    if isinstance(value, float):
        return "float " + struct.pack(">d", value).hex()
    if isinstance(value, str):
        return "str " + value.encode("utf-8").hex()
    if isinstance(value, bytes):
        return "bin " + value.hex()
    if isinstance(value, msgpack.Timestamp):
        return "time %d %d" % (value.seconds, value.nanoseconds)
    if isinstance(value, msgpack.ExtType):
        return "ext %d %s" % (value.code, value.data.hex())
    if isinstance(value, list):
        return "[" + ", ".join(map(describe, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join("%s: %s" % (describe(k), describe(v)) for k, v in value.items()) + "}"
    raise TypeError(type(value))


with open(sys.argv[1], "rb") as source:
    values = list(msgpack.Unpacker(source, raw=False, strict_map_key=False, max_buffer_size=1 << 28))
with open(sys.argv[2], "wb") as target:
    for item in values:
        print(describe(item))
        target.write(msgpack.packb(item, use_bin_type=True))
