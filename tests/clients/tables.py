#!/usr/bin/env python3
"""A worker with string and map tables in both directions, written from PROTOCOL.md alone. It sends log events that refer to its
own Strings and Maps, in every valid form of an id, announces an application's type and refers in its packets too, and reads what the main
node sends with a table for each lane. Waits until the main node has sent a Progress on the lanes 1 and 2. Prints one line: what came from
the other side as category/message/properties, joined by ';', then the ledger."""
from wire import *

STRINGS, MAPS, TYPES = 259, 260, 261
texts, maps = [{}, {}, {}, {}], [{}, {}, {}, {}]    # this direction's tables of the main node, one for each lane
announced = [set(), set(), set(), set()]            # types of applications that refer to them


def ref(kind, number, size=1):
    return msgpack.ExtType(kind, number.to_bytes(size, "big"))


def follow(lane):
    """Extension 1 is a text and extension 2 a map of the lane's tables; an id that was never set is a KeyError."""
    return lambda kind, data: (texts, maps)[kind - 1][lane][int.from_bytes(data, "big")]


def packet(sock, kind, value, lane=2):
    sock.sendall(frame(lane, kind, msgpack.packb(value)))


def log(message, category="client", properties=None, exception=None):
    return [msgpack.Timestamp.from_unix_nano(time.time_ns()), 2, category, 0, message, None, properties, exception]


def receive(sock):
    """The next packet of one frame as (lane, type, value), references followed."""
    _, lanes, _, kind, _, length = struct.unpack(">BBBHBI", exactly(sock, 10))
    body = exactly(sock, length)
    hook = follow(lanes & 3) if kind < 1024 or kind in announced[lanes & 3] else msgpack.ExtType
    return lanes & 3, kind, msgpack.unpackb(body, strict_map_key=False, ext_hook=hook)


sock = connect()
sock.sendall(hello(caps=["strings", "maps", "tables"]))
_, kind, welcome = read(sock)
assert kind == WELCOME and sorted(welcome["caps"]) == ["maps", "strings", "tables"], welcome
packet(sock, STRINGS, [[0, "zero"], [300, "dreihundert \u00fc"], [70000, "large id"], [2**32 - 1, "largest id"]])
packet(sock, LOG_EVENT, log(ref(1, 300, 2), ref(1, 0)))
packet(sock, LOG_EVENT, log(ref(1, 70000, 4), ref(1, 0, 4), {ref(1, 0): ref(1, 2**32 - 1, 4)}))
packet(sock, MAPS, [[7, {"path": ref(1, 300, 2), ref(1, 0): 5}]])
packet(sock, STRINGS, [[300, "set again"]])          # the map keeps what it was made of
packet(sock, LOG_EVENT, log(ref(1, 300, 2), properties=ref(2, 7), exception=ref(1, 0)))
packet(sock, STRINGS, [[0, "urgent zero"]], lane=1)  # another lane, another table
packet(sock, LOG_EVENT, log(ref(1, 0)), lane=1)
packet(sock, LOG_EVENT, log(ref(1, 0)))
packet(sock, 1025, [ref(1, 999, 2)])                 # not announced: its extensions are its own
packet(sock, TYPES, [1025])
packet(sock, 1025, [ref(1, 0), ref(2, 7)])
sent, got, handled, kinds, ended = 12, [], 0, [], set()
# Lanes are in order each for itself: the last of one may come before the last of another.
while ended != {1, 2}:
    lane, kind, value = receive(sock)
    if lane == 0:
        if kind == PING:
            sock.sendall(control(PONG, id=value["id"]))
        continue
    handled += 1
    kinds.append(kind)
    if kind in (STRINGS, MAPS):
        (texts, maps)[kind - STRINGS][lane].update((entry[0], entry[1]) for entry in value)
    elif kind == TYPES:
        assert not announced[lane] & set(value) and min(value) >= 1024, value
        announced[lane].update(value)
    elif kind == LOG_EVENT:
        got.append(f"{lane}/{value[2]}/{value[4]}/" + ",".join(f"{k}={v}" for k, v in (value[6] or {}).items()))
    elif kind in (575, 1024):
        got += ["w/" + ",".join(f"{k}={v}" for k, v in one.items()) for one in value[1]]
    elif kind == PROGRESS:
        ended.add(lane)
sock.sendall(control(ACK, packets=handled))
words = finish(sock, sent)
print(";".join(got).replace(" ", "_"), f"tables:{kinds.count(STRINGS)}+{kinds.count(MAPS)}+{kinds.count(TYPES)}", f"of:{handled}", *words)
