#!/usr/bin/env python3
"""A valid worker that writes every byte by itself. usage: dribble.py [events=50] [big=70000]
Prints one line: what came from the other side."""
import sys
from wire import *


class Dribble:
    def __init__(self, sock):
        self.sock = sock

    def sendall(self, data):
        for i in range(len(data)):
            self.sock.sendall(data[i:i + 1])

    def __getattr__(self, name):
        return getattr(self.sock, name)


events, big = (list(map(int, sys.argv[1:])) + [50, 70000][len(sys.argv) - 1:])
sock = Dribble(connect())
sock.sendall(hello())
words = answers(sock, until=("welcome", "reject"))
for i in range(events):
    sock.sendall(frame(2, LOG_EVENT, event(f"event {i}")))
body = event("big " + "x" * big)
for at in range(0, len(body), MAX_CHUNK):
    sock.sendall(frame(3 | (MORE if at + MAX_CHUNK < len(body) else 0), LOG_EVENT, body[at:at + MAX_CHUNK]))
print(*words, *finish(sock, events + 1))
