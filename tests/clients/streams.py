#!/usr/bin/env python3
"""A worker that reads a stream of its main node and answers one, written from PROTOCOL.md alone: streams.py ITEMS CREDIT. Prints one
line: what it read, the most that it had not granted again, how many items it sent, and how often it waited for credit."""
import sys
from wire import *

REQUEST, ANSWER, CANCEL, ITEM, CREDIT, COUNT, OVERHEAD = 272, 273, 274, 275, 276, 1040, 32
count, window = map(int, sys.argv[1:])
sock = connect()
sock.sendall(hello(caps=["streams", "stop"]))
_, kind, welcome = read(sock)
assert kind == WELCOME and welcome["caps"] == ["streams"], welcome
sent, handled, words = 0, 0, []


def packet(kind, value, lane=2):
    global sent
    sent += 1
    sock.sendall(frame(lane, kind, msgpack.packb(value)))


def receive():
    """The next packet of lanes 1 to 3."""
    global handled
    while True:
        lanes, kind, value = read(sock)
        if lanes & 3:
            handled += 1
            sock.sendall(control(ACK, packets=handled))
            return kind, value
        if kind == PING:
            sock.sendall(control(PONG, id=value["id"]))
        elif kind == GOODBYE:
            words.append(f"goodbye:{value['reason'] or 'clean'}")
            sock.sendall(control(ACK, packets=handled))
            sock.shutdown(socket.SHUT_WR)


packet(REQUEST, [1, COUNT, msgpack.packb([count]), None, None, window])
items, left, least, asked = [], window, window, None
while True:
    kind, value = receive()
    if kind == REQUEST:
        asked = value
    elif kind == ITEM:
        assert value[0] == 1 and left > 0, (value, left)
        items.append(msgpack.unpackb(value[1])[0])
        left -= len(value[1]) + OVERHEAD
        least = min(least, left)
        if left <= window // 2:
            packet(CREDIT, [1, window - left], lane=1)
            left = window
    elif kind == ANSWER:
        assert value[:3] == [1, 0, None], value
        break
while asked is None:
    kind, value = receive()
    asked = value if kind == REQUEST else None
number, type, question, _, _, credit = asked
assert type == COUNT and credit > 0, asked
waits = 0
for i in range(msgpack.unpackb(question)[0]):
    while credit <= 0:
        waits += 1
        kind, value = receive()
        assert kind == CREDIT and value[0] == number, (kind, value)
        credit += value[1]
    body = msgpack.packb([i])
    credit -= len(body) + OVERHEAD
    packet(ITEM, [number, body])
packet(ANSWER, [number, 0, None, None])
sock.sendall(control(GOODBYE, packets=sent, reason=""))
try:
    while True:  # credit for the last items may still come: it counts too
        receive()
except EOFError:
    ended = "eof"
print(f"read:{len(items)}", f"ordered:{items == list(range(count))}", f"least:{least}", f"waits:{waits > 0}", *words, ended)
