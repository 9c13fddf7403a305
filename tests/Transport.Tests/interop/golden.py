"""Writes the golden files anew with python3-msgpack: bytes that this repository's own writer had no part in.

Run by hand, only when PROTOCOL.md changes:  python3 golden.py ../golden
"""
import struct
import sys

import msgpack


def frame(lane, kind, body, more=False):
    return struct.pack(">BBBHBI", 0x93, lane | (0x40 if more else 0), 0xCD, kind, 0xC6, len(body)) + body


def pack(value):
    return msgpack.packb(value, use_bin_type=True, datetime=False)


hello = {
    "protocol": "transport", "min": 1, "max": 1, "secret": bytes(range(32)), "node": "worker-1", "pid": 4711,
    "app": "example/1.0", "caps": ["strings", "maps"], "maxPacket": 16 << 20,
}
welcome = {"version": 1, "node": "main", "pid": 42, "caps": ["strings"], "level": 2, "maxPacket": 16 << 20}
log_event = [
    msgpack.Timestamp(1767225600, 123456700), 4, "Compiler", 1001, "Größe \U0001f600 überschritten", [7, 300, 70000],
    {"file": "src/a.cs", "line": 12, "ratio": 0.5}, None,
]
blob = bytes(i * 7 % 256 for i in range(70000))
chunk = pack(blob)
urgent = frame(0, 6, pack({"id": 1, "queuedBytes": 0}))
values = [
    None, False, True, 0, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**63, 2**64 - 1,
    -1, -32, -33, -128, -129, -32768, -32769, -(2**31), -(2**31) - 1, -(2**63), 1.5, -0.0, float("inf"),
    "", "x" * 31, "x" * 32, "x" * 255, "x" * 256, "é" * 16, "é" * 128, "\U0001f600" * 8,
    b"", b"\xff" * 255, b"\xff" * 256, [], list(range(15)), list(range(16)), {}, {"k%d" % i: i for i in range(16)}, {1: "a", -1: "b"},
    msgpack.ExtType(1, b"\x07"), msgpack.ExtType(1, b"\x01\x02"), msgpack.ExtType(127, b"abc"), msgpack.ExtType(2, bytes(16)),
    msgpack.Timestamp(0, 0), msgpack.Timestamp(2**32, 0), msgpack.Timestamp(1, 100), msgpack.Timestamp(2**34, 0),
    msgpack.Timestamp(-1, 999999900),
]


def ref(kind, number):
    return msgpack.ExtType(kind, number.to_bytes(1 if number < 256 else 2, "big"))


def tabled(message, properties):
    """A LogEvent whose category stands in the string table, as id 256."""
    return frame(2, 256, pack([msgpack.Timestamp(1767225600, 123456700), 2, ref(1, 256), 0, message, None, properties, None]))


# Names enter the table at once, messages and values when they come for the second time; maps of other packets at once.
first = {ref(1, 257): "src/a.cs", ref(1, 258): 12}
second = {ref(1, 257): ref(1, 260), ref(1, 258): 12}
words = frame(2, 575, pack([[ref(1, 256)], [ref(2, 256)], b""]))
tables = [
    frame(2, 259, pack([[256, "Compiler"], [257, "file"], [258, "line"]])), tabled("one warning", first),
    frame(2, 259, pack([[259, "one warning"], [260, "src/a.cs"]])), tabled(ref(1, 259), second),
    frame(2, 259, pack([[261, "twelve"]])), frame(2, 260, pack([[256, {ref(1, 257): ref(1, 260), ref(1, 258): ref(1, 261)}]])),
    words, words,
]
# A stream of one item, and credit for more. The writer does not know an item's length beforehand, so its header is bin 32.
item = pack(["a"])
streams = [
    frame(2, 272, pack([7, 1030, pack(["*.cs"]), 1500, None, 262144])),
    frame(2, 275, b"\x92\x07\xc6" + struct.pack(">I", len(item)) + item),
    frame(1, 276, pack([7, 131072])),
    frame(2, 273, pack([7, 0, None, None])),
]
files = {
    "streams.bin": b"".join(streams),
    "tables.bin": b"".join(tables),
    "hello.bin": frame(0, 1, pack(hello)),
    "welcome.bin": frame(0, 2, pack(welcome)),
    "logevent.bin": frame(2, 256, pack(log_event)),
    "chunks.bin": frame(3, 1024, chunk[:65536], more=True) + urgent + frame(3, 1024, chunk[65536:]),
    "values.bin": b"".join(pack(v) for v in values),
}
for name, content in files.items():
    with open("%s/%s" % (sys.argv[1], name), "wb") as file:
        file.write(content)
