#!/usr/bin/env python3
"""Builds something large with `buildharness build --nodes 2` and with `dotnet build -m:2`, in interleaved pairs.

    eng/measure-large.py [PAIRS]     a generated solution, 200 libraries in 8 layers and a program: with everything to do and with nothing
                                     to do, so many pairs of each (3 by default)
    eng/measure-large.py own         this repository's Transport.sln, a clone of it, once each way

Says the time and CPU of each, and of one more build with --log, to which every event is sent, the events, the bytes of its links, the
most memory of its main node, and what its receipts know of losses. Nothing stays alive between builds. Exit code 1: a build failed, the
median of the pairs is over its target (full 0.90, noop 1.05), the main node took over 150 MB, or an event is not known to have come.
"""
import json
import pathlib
import sys
import tempfile

from builds import ROOT, forget_servers, install, interleave, most_memory, prepare_solution, remove_outputs, run
from pairs import say_rounds

TARGETS = {"full": 0.90, "noop": 1.05, "own": None}
MOST_MB = 150


def main():
    words = sys.argv[1:] or ["3"]
    is_own = words == ["own"]
    if not is_own and (len(words) > 1 or not words[0].isdecimal() or int(words[0]) < 1):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        if is_own:
            forget_servers()
            run("git", "clone", "-q", ROOT, work / "own")
            solution = work / "own/Transport.sln"
            run("dotnet", "restore", solution, "-v", "q")
        else:
            solution = prepare_solution(work, 200, 8)
        program = install(work)
        holds = [compare(kind, solution, program, 1 if is_own else int(words[0]), work / "summary.json")
            for kind in (["own"] if is_own else ["full", "noop"])]
    sys.exit(0 if all(holds) else 1)


def compare(kind, solution, program, pairs, summary):
    """Measures pairs of builds, and one more for the main node's memory. Gives whether all targets are met."""
    def remove():
        if kind == "full":
            remove_outputs(solution.parent)
        elif kind == "own":
            run("git", "-C", solution.parent, "clean", "-xdfq", "-e", "project.assets.json", "-e", "*.nuget.*")

    msbuild, harness = "dotnet build -m:2", "buildharness"
    commands = {msbuild: ["dotnet", "build", solution, "--no-restore", "-m:2", "-v", "q", "-nologo"],
        harness: [program, "build", solution, "--no-restore", "--nodes", "2", "-v", "q", "--summary", summary]}
    results = interleave(commands, pairs, remove)
    remove()
    memory = most_memory([*commands[harness], "--log", summary.with_name("events.log")])   # so every event is sent
    is_known = report(json.loads(summary.read_text()))
    ratio = say_rounds(f"{kind}, of the time of -m:2", results[harness], results[msbuild], 0)
    say_rounds(f"{kind}, of its CPU", results[harness], results[msbuild], 1)
    print(f"main node, with --log: at most {memory:.0f} MB that nobody shares", flush=True)
    return (TARGETS[kind] is None or ratio <= TARGETS[kind]) and memory <= MOST_MB and is_known


def report(summary):
    """Says what a summary knows of its workers' packets. Gives whether all of them are known to have come and to be handled."""
    nodes = summary["nodes"]
    sums = {key: sum(node[key] or 0 for node in nodes) for key in ("sent", "received", "acknowledged", "dropped", "events", "bytes")}
    known = [node["end"] == "clean" and node["sent"] is not None and node["sent"] == node["received"] and node["dropped"] == 0
        and node["exitReport"]["refused"] == 0 and node["exitReport"]["unhandled"] == 0 for node in nodes]
    print(f"{len(summary['projects'])} projects, {len(nodes)} workers: {sums['events']:,} events, {sums['bytes'] / 1e6:.1f} MB; "
        f"packets sent {sums['sent']:,}, received {sums['received']:,}, acknowledged {sums['acknowledged']:,}, dropped {sums['dropped']:,}; "
        f"{sum(known)} of {len(known)} workers are known to have lost nothing")
    return bool(nodes) and all(known)


main()
