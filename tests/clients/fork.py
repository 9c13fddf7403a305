#!/usr/bin/env python3
"""A worker that sends events, forks a child that keeps its socket open, and dies with exit code 7. usage: fork.py [ping]
The child ends when the other side closes; with "ping" it goes on sending Pings meanwhile."""
import os, select, sys
from wire import *

sock = connect()
sock.sendall(hello())
answers(sock, until=("welcome", "reject"))
for i in range(100):
    sock.sendall(frame(2, LOG_EVENT, event(f"event {i}")))
if os.fork() == 0:
    os.close(1)
    os.close(2)
    try:
        while True:
            if sys.argv[1:] == ["ping"]:
                sock.sendall(control(PING, id=1))
            if select.select([sock], [], [], 0.02)[0] and not sock.recv(4096):
                break
    except OSError:
        pass
    os._exit(0)
os._exit(7)
