#!/usr/bin/env python3
"""A worker that asks its main node one question in a trace: trace.py TRACEPARENT. Prints the answer."""
import sys
from wire import *

REQUEST, ANSWER, SUM_OF = 272, 273, 1027
sock = connect()
sock.sendall(hello())
answers(sock, until=("welcome", "reject"))
question = msgpack.packb([20, 22])
sock.sendall(frame(2, REQUEST, msgpack.packb([1, SUM_OF, question, None, sys.argv[1]])))
type = None
while type != ANSWER:
    _, type, value = read(sock)
    if type == PING:
        sock.sendall(control(PONG, id=value["id"]))
print("answer", msgpack.unpackb(value[2]) if value[1] == 0 else value)
sock.sendall(control(ACK, packets=1))
finish(sock, 1)
