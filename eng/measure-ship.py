#!/usr/bin/env python3
"""Compares a build under `transport collect` whose journal is shipped with the same build whose journal is not, in interleaved rounds, on a
generated solution of 20 libraries and a program. Server, shipper and receiver share the build's cores.

    eng/measure-ship.py [noop|full] [ROUNDS]        (noop and 9 by default)

noop: nothing is left to do. full: every output is removed before each build. Needs nats-server. Each shipped journal is compared with the
one that was received. Exit code 1: a build failed, a packet is missing, or the median is over the target of 1.03.
"""
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from builds import ROOT, arguments, prepare_solution, remove_outputs, run
from pairs import say

TARGET = 1.03


def main():
    kind, rounds = arguments(("noop", "full"), 9, __doc__)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        os.environ["XDG_STATE_HOME"] = str(work / "state")
        solution = prepare_solution(work)
        run("dotnet", "publish", ROOT / "src/Transport.Tool", "-c", "Release", "-f", "net10.0", "--use-current-runtime",
            "--self-contained", "false", "-o", work / "tool")
        tool = work / "tool/Transport.Tool"
        url = subprocess.check_output([ROOT / "eng/nats.sh", "start", work / "nats"], text=True).splitlines()[-1]
        receiver = subprocess.Popen([tool, "receive", work / "received", "--nats", url, "--create"], stdout=subprocess.DEVNULL)
        try:
            walls = {"alone": [], "shipped": []}
            for turn in range(rounds):
                for name in list(walls) if turn % 2 == 0 else list(walls)[::-1]:
                    if kind == "full":
                        remove_outputs(solution.parent)
                    walls[name].append(build(tool, solution, work, url if name == "shipped" else None))
                last = ", ".join(f"{name} {values[-1]:.2f} s" for name, values in walls.items())
                print(f"round {turn + 1} of {rounds}: {last}", file=sys.stderr)
        finally:
            receiver.terminate()
            receiver.wait()
            subprocess.run([ROOT / "eng/nats.sh", "kill", work / "nats"], check=False)
    for name, values in walls.items():
        print(f"{name}: {statistics.median(values):.2f} s")
    sys.exit(0 if say(f"{kind}, shipped / alone", [a / b for a, b in zip(walls["shipped"], walls["alone"])]) <= TARGET else 1)


def build(tool, solution, work, url):
    """Builds, and gives the build's time. The shipper starts with the build; what it still has to do afterwards does not count."""
    journal = work / "build.journal"
    shutil.rmtree(journal, ignore_errors=True)
    start = time.monotonic()
    command = ["dotnet", "build", solution, "--no-restore", "-m:2", "-v", "q", "-nologo"]
    collecting = subprocess.Popen([tool, "collect", "--journal", journal, "--", *command], stdout=subprocess.DEVNULL)
    shipping = None
    if url:
        while not (journal / "0000000001.segment").exists() and collecting.poll() is None:
            time.sleep(0.01)
        shipping = subprocess.Popen([tool, "ship", journal, "--nats", url, "--create"], stdout=subprocess.PIPE, text=True)
    if collecting.wait() != 0:
        sys.exit(f"the build failed with exit code {collecting.returncode}")
    wall = time.monotonic() - start
    if shipping:
        said, _ = shipping.communicate(timeout=60)
        if shipping.returncode != 0:
            sys.exit(f"transport ship failed with exit code {shipping.returncode}")
        check(tool, work, journal)
        print(said.strip(), file=sys.stderr)
    return wall


def check(tool, work, journal):
    """The received journal has the packets of the one that was shipped."""
    received = max((work / "received").glob("*-*"), key=lambda path: path.stat().st_mtime)
    ours, theirs = (subprocess.run([tool, "journal", "dump", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        .splitlines() for path in (journal, received))
    if [line.split(",", 1)[1] for line in ours] != [line.split(",", 1)[1] for line in theirs] or not ours:
        sys.exit(f"{received} has {len(theirs)} packets, {journal} {len(ours)}, or others")


main()
