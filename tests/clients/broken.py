#!/usr/bin/env python3
"""A worker that follows the protocol but for one rule. usage: broken.py none|asks|secret|pong|count|lane|body|loud|content|deaf
With "asks" it breaks none, and its first packet is a request that must be answered."""
import sys
from wire import *

mode = sys.argv[1]
sock = connect()
sock.settimeout(10)
sock.sendall(hello(secret=bytes(32)) if mode == "secret" else hello())
if mode == "deaf":   # asks without end, and reads no answer
    sock.settimeout(None)
    id = 0
    while True:
        id += 1
        sock.sendall(frame(2, 272, msgpack.packb([id, 65000, b"\xc0", None])))
_, kind, value = read(sock)
if kind != WELCOME:
    sys.exit(0 if mode == "content" else f"rejected: {value['message']}")
sent = handled = 0
level = value["level"]
if level <= 2 or mode == "loud":
    body = event("one event")
    sock.sendall(frame(0 if mode == "lane" else 2, LOG_EVENT, body + b"\xc0" if mode == "body" else body))
    sent += 1
if mode == "asks":
    sock.sendall(frame(2, 272, msgpack.packb([1, 65000, b"\xc0", None])))
    sent += 1
parts, waits = {}, mode == "asks"
while True:
    header = struct.unpack(">BBBHBI", exactly(sock, 10))
    assert (header[0], header[2], header[4]) == (0x93, 0xCD, 0xC6), "FrameCorrupt"
    lane, kind = header[1] & 3, header[3]
    parts[lane] = parts.get(lane, b"") + exactly(sock, header[5])
    if header[1] & MORE:
        continue
    body = parts.pop(lane)
    if lane:
        handled += 1
        waits = waits and not (kind == 273 and msgpack.unpackb(body)[:2] == [1, 3])
        sock.sendall(control(ACK, packets=handled))
    elif kind == PING:
        sock.sendall(control(PONG, id=msgpack.unpackb(body)["id"] + (mode == "pong")))
    elif kind == GOODBYE and not waits:
        sock.sendall(control(ACK, packets=handled) + control(GOODBYE, packets=sent + (mode == "count"), reason=""))
        answers(sock)
        break
