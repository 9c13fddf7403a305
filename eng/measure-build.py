#!/usr/bin/env python3
"""Compares `buildharness build` with `dotnet build -m:2` in interleaved pairs, on a generated solution of 20 libraries and a program.

    eng/measure-build.py [noop|full] [ROUNDS]        (noop and 9 by default)

noop: nothing is left to do. full: every output is removed before each build. Both keep nothing alive between builds (no compiler
server, no node reuse, no MSBuild server), so that each pays for what it starts; CPU is that of all processes a build has started. Exit
code 1: a build failed, or the median of the pairs is over the target (1.10 and 0.85).
"""
import pathlib
import statistics
import sys
import tempfile

from builds import arguments, interleave, prepare, remove_outputs

TARGETS = {"noop": 1.10, "full": 0.85}


def main():
    kind, rounds = arguments(TARGETS, 9, __doc__)
    with tempfile.TemporaryDirectory() as work:
        solution, harness = prepare(pathlib.Path(work))
        commands = {
            "dotnet build": ["dotnet", "build", solution, "--no-restore", "-m:2", "-v", "q", "-nologo"],
            "buildharness": harness,
        }
        results = interleave(commands, rounds, lambda: remove_outputs(solution.parent) if kind == "full" else None)

    ratios = [sorted(ours[i] / theirs[i] for ours, theirs in zip(results["buildharness"], results["dotnet build"])) for i in range(2)]
    wall, cpu = (statistics.median(values) for values in ratios)
    print(f"{kind}, {rounds} pairs: {wall:.3f} x dotnet build [{ratios[0][0]:.3f} to {ratios[0][-1]:.3f}] (target {TARGETS[kind]:.2f}), "
        f"CPU {cpu:.3f} x")
    sys.exit(0 if wall <= TARGETS[kind] else 1)


main()
