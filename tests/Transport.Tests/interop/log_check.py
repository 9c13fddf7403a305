"""Reads log packets one behind the other, says what it saw, one line each, and writes them again: log_check.py OURS THEIRS"""
import json
import sys

import msgpack


def shown(value):
    if isinstance(value, msgpack.Timestamp):
        return "T%d.%09d" % (value.seconds, value.nanoseconds)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "F" + value.hex()
    if isinstance(value, int):
        return "I%d" % value
    if isinstance(value, str):
        return "S" + json.dumps(value)
    if isinstance(value, list):
        return "[" + ",".join(map(shown, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(shown(k) + ":" + shown(v) for k, v in value.items()) + "}"
    return "nil" if value is None else "?" + repr(value)


with open(sys.argv[1], "rb") as ours, open(sys.argv[2], "wb") as theirs:
    for packet in msgpack.Unpacker(ours, timestamp=0, raw=False):
        print(shown(packet))
        theirs.write(msgpack.packb(packet))
