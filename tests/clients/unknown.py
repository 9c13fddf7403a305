#!/usr/bin/env python3
"""A valid worker of a later version: packet types, control packets, fields and keys that version 1 does not know.
Sends 6 packets of lanes 1-3, of which one, of type 256, is known. Prints one line: what came from the other side."""
from wire import *

sock = connect()
sock.sendall(hello(min=1, max=7, caps=["strings", "teleport"], shoeSize=44))
words = answers(sock, until=("welcome", "reject"))
sock.sendall(
    control(200, anything=[1, {2: b"3"}])                                 # lane 0: skipped
    + frame(0, 201, msgpack.packb("no map either"))
    + control(PING, id=7, colour="red")
    + frame(1, 1500, msgpack.packb({"unknown": "urgent"}))
    + frame(2, 999, msgpack.packb([1, 2, 3]))
    + frame(2, LOG_EVENT, event("known, with fields of a later version", 2, "new", [["a scope", None, "new"]], None, {"more": [None]}))
    + frame(3 | MORE, 65535, b"\xc6" + (100_000).to_bytes(4, "big") + bytes(50_000))
    + frame(1, 1501, b"\xc0")
    + control(SET_LEVEL, level=3, why="not a worker's packet, but valid")
    + frame(3, 65535, bytes(50_000))
    + frame(3, 30000, b"\x00"))
print(*words, *finish(sock, 6))
