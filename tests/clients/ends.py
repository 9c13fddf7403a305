#!/usr/bin/env python3
"""A worker with inherited pipes that sends 100 events, does something odd with its ends, and lives on. usage: ends.py MODE
MODE: read, write or both: closes these ends; garbage: fills what it writes to with zeros."""
import sys, time
from wire import *

pipes = connect()
pipes.sendall(hello())
answers(pipes, until=("welcome", "reject"))
pipes.sendall(b"".join(frame(2, LOG_EVENT, event(f"event {i}")) for i in range(100)))
if sys.argv[1] == "garbage":
    try:
        while True:
            pipes.sendall(bytes(4096))
    except OSError:
        pass
else:
    for end in {"read": pipes.ends[:1], "write": pipes.ends[1:], "both": pipes.ends}[sys.argv[1]]:
        os.close(end)
time.sleep(600)
