#!/usr/bin/env python3
"""A client that breaks one rule. usage: hostile.py MODE [seconds=80]; without MODE: lists the modes.
Prints one line, what came from the other side: welcome, reject:CODE, goodbye:REASON, ack:N, then eof, reset or silent."""
import sys
from wire import *

# Before Welcome: the bytes that are sent at once after connecting.
FIRST = {
    "garbage": b"\xff\x00\xc1" * 1000,                                        # FrameCorrupt, no answer
    "http": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",                     # FrameCorrupt, no answer
    "claim-4g": frame(0, HELLO, b"", 0xFFFFFFFF),                             # FrameCorrupt, no answer
    "huge-hello": frame(0, HELLO, msgpack.packb({"app": "x" * 1_000_000})),   # FrameCorrupt, no answer
    "silence": b"",                                                           # closed after the handshake's deadline
    "half-hello": hello()[:40],                                               # the same
    "nested-hello": frame(0, HELLO, b"\x91" * 60_000 + b"\xc0"),              # reject malformed
    "array-hello": frame(0, HELLO, msgpack.packb([1, 2, 3])),                 # reject malformed
    "no-secret": hello(secret=None),                                          # reject malformed
    "short-secret": hello(secret=b"123"),                                     # reject malformed
    "log-first": frame(2, LOG_EVENT, event("before Hello")) + hello(),        # reject malformed
    "wrong-secret": hello(secret=bytes(32)),                                  # reject secret
    "other-protocol": hello(protocol="carrier pigeon"),                       # reject protocol
    "version-9": hello(min=9, max=9),                                         # reject version
    "all-wrong": hello(secret=bytes(32), protocol="x", min=9, max=9),         # reject secret: the first check that fails answers
    "padded-hello": hello(padding="x" * 60_000),                              # none: unknown keys are skipped
}
# After Welcome: the bytes that break the link, behind one valid event.
LATER = {
    "late-garbage": b"\xff" * 100,                                            # FrameCorrupt
    "late-claim-4g": frame(2, LOG_EVENT, b"", 0xFFFFFFFF),                    # FrameCorrupt
    "length-0": frame(2, LOG_EVENT, b""),                                     # FrameCorrupt
    "length-65537": frame(2, LOG_EVENT, bytes(65537)),                        # FrameCorrupt
    "more-on-control": frame(MORE, PING, msgpack.packb({"id": 1})),           # FrameCorrupt
    "log-on-control": frame(0, LOG_EVENT, event("x")),                        # FrameCorrupt
    "ping-on-normal": frame(2, PING, msgpack.packb({"id": 1})),               # FrameCorrupt
    "reserved-bit": frame(2 | 0x04, LOG_EVENT, event("x")),                   # FrameCorrupt
    "other-chunk": frame(2 | MORE, LOG_EVENT, bytes(10)) + frame(2, OUTPUT, bytes(10)),                   # FrameCorrupt
    # PacketTooLarge
    "too-large": frame(3 | MORE, 1024, b"\xc6\x7f\xff\xff\xff" + bytes(65531)) + frame(3 | MORE, 1024, bytes(65536)) * 300,
    "nested": frame(2, LOG_EVENT, b"\x91" * 60_000 + b"\xc0"),                # PacketMalformed
    "nested-unknown": frame(2, 2000, b"\x91" * 60_000 + b"\xc0"),             # PacketMalformed
    "two-values": frame(2, LOG_EVENT, event("x") + b"\xc0"),                  # PacketMalformed
    "cut-body": frame(2, LOG_EVENT, event("x")[:-3]),                         # PacketMalformed
    "level-9": frame(2, LOG_EVENT, event("x", 9)),                            # PacketMalformed
    "not-utf8": frame(2, LOG_EVENT, event("0123456789").replace(b"0123456789", b"\xff" * 10)),            # PacketMalformed
    "table-id": frame(2, LOG_EVENT, event(msgpack.ExtType(1, b"\x05"))),      # PacketMalformed: no such capability
    "claimed-map": frame(2, LOG_EVENT, event("x")[:-2] + b"\xdf\xff\xff\xff\xff\xc0"),                    # PacketMalformed
    "second-hello": hello(),                                                  # PacketMalformed
    "cut-frame": frame(2, LOG_EVENT, event("x"))[:-5],                        # PeerGone there, once this client is gone
    "no-goodbye": frame(2, LOG_EVENT, event("x")),                            # the same
}


def send(sock, data):
    try:
        sock.sendall(data)
    except OSError:
        pass  # the other side may have closed before the last byte


def main(mode, seconds=80.0):
    sock = connect()
    if mode in FIRST:
        send(sock, FIRST[mode])
        words = answers(sock, seconds, until=("welcome",))
        return words + finish(sock, 0) if words[-1] == "welcome" else words
    if mode == "spent-secret":
        sock.sendall(hello())
        words, second = answers(sock, seconds, until=("welcome", "reject")), connect()
        second.sendall(hello())
        return words + answers(second, seconds) + finish(sock, 0)
    if mode == "valid":
        sock.sendall(hello() + frame(2, LOG_EVENT, event("valid")))
        return answers(sock, seconds, until=("welcome", "reject")) + finish(sock, 1)
    sock.sendall(hello())
    words = answers(sock, seconds, until=("welcome", "reject"))
    send(sock, frame(2, LOG_EVENT, event("valid")) + LATER[mode])
    if mode in ("cut-frame", "no-goodbye"):
        sock.close()
        return words + ["closed"]
    return words + answers(sock, seconds)


if len(sys.argv) < 2:
    print(*FIRST, *LATER, "spent-secret", "valid", sep="\n")
else:
    print(*main(sys.argv[1], *map(float, sys.argv[2:])))
