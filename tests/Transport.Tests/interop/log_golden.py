"""Writes the golden files of the log packets anew with python3-msgpack: bodies without their frames.

Run by hand, only when PROTOCOL.md changes:  python3 log_golden.py ../golden
"""
import sys

import msgpack

time = msgpack.Timestamp(1767225600, 123456700)
files = {
    "log-full.bin": [
        time, 3, "Compiler", 1001, "Größe \U0001f600 überschritten\nzweite Zeile", [7, 300, -1],
        {"file": "src/a.cs", "line": 12, "big": -2**63, "ratio": 0.5, "ok": True, "nothing": None, "{OriginalFormat}": "Größe {file}"},
        "System.Exception: kaputt\n   at A.B()",
    ],
    "log-scopes.bin": [
        time, 2, "Compiler", 0, "m", None, None, None, None,
        [["Build 5 of a.sln", {"Id": 5, "{OriginalFormat}": "Build {Id} of a.sln"}], ["plain", None], [None, {"File": "a.cs"}]],
    ],
    "log-least.bin": [msgpack.Timestamp(0, 0), 0, "", 0, "", None, None, None],
    "log-trace.bin": [time, 2, "Compiler", 0, "m", None, None, None, None, [], bytes(range(1, 25))],
    # A later version's: a twelfth element, and a third one in a scope; values that our own sender never writes.
    "log-later.bin": [
        time, 5, "c", -5, "m", [],
        {"list": [1, "two", None, {"three": 3.5}], "bytes": b"\x00\xff", "unsigned": 2**64 - 1, "time": time,
            "other": msgpack.ExtType(42, b"ab")},
        None, "new", [["Build 5", {"Id": 5}], [None, {"File": "a.cs"}, "more"]], None, {"more": [1, 2]},
    ],
    "output.bin": [time, 2, "error: ü", True, [1, 2]],
    "output-least.bin": [time, 1, "", False, None],
    "progress.bin": [time, 12, 34, 5_000_000_000, "compiling"],
    "progress-open.bin": [time, 0, 0, None, ""],
}
for name, value in files.items():
    with open("%s/%s" % (sys.argv[1], name), "wb") as file:
        file.write(msgpack.packb(value, use_bin_type=True, datetime=False))
