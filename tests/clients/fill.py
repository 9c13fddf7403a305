#!/usr/bin/env python3
"""A worker that fills the pipe it reads from before it says Hello, and leaves a child that keeps it full for a minute."""
import sys, time
from wire import *

pipes = connect()
full = os.open(f"/proc/self/fd/{pipes.ends[0]}", os.O_WRONLY | os.O_NONBLOCK)
try:
    while True:
        os.write(full, bytes(4096))
except BlockingIOError:
    pass
if os.fork() == 0:
    os.close(1)
    os.close(2)
    time.sleep(60)
    os._exit(0)
pipes.sendall(hello())
refused = select.poll()
refused.register(pipes.ends[1], 0)
refused.poll(80_000)   # nobody reads any more
sys.exit(7)
