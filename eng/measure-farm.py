#!/usr/bin/env python3
"""Compares a build by a farm of two agents of one worker each with a build by two workers of its own, all on this machine, in interleaved
pairs, on a generated solution of 20 libraries and a program.

    eng/measure-farm.py [noop|full] [ROUNDS]        (noop and 7 by default)

The server (eng/nats.sh), home and both agents share the machine, so that what is seen is what the way through the farm costs. CPU is that
of all processes: home, agents, their workers and the server. An agent gets new workers ready behind each build; the next build begins 5 s
later, or at once (a third row). Exit code 1: a build failed, or the median of the pairs is over the target (1.15).
"""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from builds import ROOT, arguments, measure, prepare, remove_outputs

TARGET = 1.15
READY = 5


def cpu_of(pid):
    """The CPU of a process and of those it has started and that have ended."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(int(fields[i]) for i in range(11, 15)) / os.sysconf("SC_CLK_TCK")


def start_agent(harness, url, name, work):
    log = open(work / f"{name}.log", "w")
    agent = subprocess.Popen([harness, "agent", "--nats", url, "--workers", "1", "--name", name], stdout=log, stderr=log)
    while "takes projects" not in (work / f"{name}.log").read_text():
        if agent.poll() is not None:
            sys.exit((work / f"{name}.log").read_text())
        time.sleep(0.05)
    return agent


def main():
    kind, rounds = arguments(("noop", "full"), 7, __doc__)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        solution, local = prepare(work)
        harness = local[0]
        url = subprocess.check_output([ROOT / "eng/nats.sh", "start", work / "nats"], text=True).split()[-1]
        server = int((work / "nats/pid").read_text())
        agents = [start_agent(harness, url, name, work) for name in ("b1", "b2")]
        farm = [harness, "build", solution, "--no-restore", "--farm", url, "-v", "q"]
        try:
            results = {"local": [], "farm": [], "farm, at once": []}
            for turn in range(rounds):
                for name in list(results) if turn % 2 == 0 else ["farm", "farm, at once", "local"]:
                    if kind == "full":
                        remove_outputs(solution.parent)
                    time.sleep(0 if name == "farm, at once" else READY)
                    before = sum(cpu_of(one.pid) for one in agents) + cpu_of(server)
                    wall, cpu = measure(local if name == "local" else farm, but=[server, *(one.pid for one in agents)])
                    results[name].append((wall, cpu + sum(cpu_of(one.pid) for one in agents) + cpu_of(server) - before))
                print(f"round {turn + 1} of {rounds}: " + ", ".join(f"{name} {values[-1][0]:.2f} s" for name, values in results.items()),
                    file=sys.stderr)
        finally:
            for agent in agents:
                agent.terminate()
                agent.wait()
            subprocess.run([ROOT / "eng/nats.sh", "stop", work / "nats"], check=True)

    for name, values in results.items():
        walls = sorted(one[0] / other[0] for one, other in zip(values, results["local"]))
        cpus = [one[1] / other[1] for one, other in zip(values, results["local"])]
        print(f"{kind}, {name}: {statistics.median(wall for wall, _ in values):.2f} s, {statistics.median(walls):.3f} x "
            f"[{walls[0]:.3f} to {walls[-1]:.3f}], CPU {statistics.median(cpus):.3f} x")
    sys.exit(0 if statistics.median(one[0] / other[0] for one, other in zip(results["farm"], results["local"])) <= TARGET else 1)


main()
