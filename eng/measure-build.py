#!/usr/bin/env python3
"""Compares `buildharness build` with `dotnet build -m:2` in interleaved pairs, on a generated solution of 20 libraries and a program.

    eng/measure-build.py [noop|full] [ROUNDS]        (noop and 9 by default)

noop: nothing is left to do. full: every output is removed before each build. Both keep nothing alive between builds (no compiler
server, no node reuse, no MSBuild server), so that each pays for what it starts; CPU is that of all processes a build has started. Exit
code 1: a build failed, or the median of the pairs is over the target (1.15 and 1.00).
"""
import pathlib
import statistics
import sys
import tempfile

from builds import measure, prepare, remove_outputs

TARGETS = {"noop": 1.15, "full": 1.00}


def main():
    kind = sys.argv[1] if len(sys.argv) > 1 else "noop"
    if kind not in TARGETS or len(sys.argv) > 3 or not all(word.isdecimal() and int(word) > 0 for word in sys.argv[2:]):
        sys.exit(__doc__)
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    with tempfile.TemporaryDirectory() as work:
        solution, harness = prepare(pathlib.Path(work))
        commands = {
            "dotnet build": ["dotnet", "build", solution, "--no-restore", "-m:2", "-v", "q", "-nologo"],
            "buildharness": harness,
        }
        results = {name: [] for name in commands}
        for turn in range(rounds):
            order = list(commands.items())
            for name, command in order if turn % 2 == 0 else reversed(order):
                if kind == "full":
                    remove_outputs(solution.parent)
                results[name].append(measure(command))
            print(f"round {turn + 1} of {rounds}: " + 
                ", ".join(f"{name} {values[-1][0]:.2f} s" for name, values in results.items()), file=sys.stderr)

    for name, values in results.items():
        print(f"{name}: {statistics.median(wall for wall, _ in values):.2f} s, CPU {statistics.median(cpu for _, cpu in values):.2f} s")
    ratios = [sorted(ours[i] / theirs[i] for ours, theirs in zip(results["buildharness"], results["dotnet build"])) for i in range(2)]
    wall, cpu = (statistics.median(values) for values in ratios)
    print(f"{kind}, {rounds} pairs: {wall:.3f} x dotnet build [{ratios[0][0]:.3f} to {ratios[0][-1]:.3f}] (target {TARGETS[kind]:.2f}), "
        f"CPU {cpu:.3f} x")
    sys.exit(0 if wall <= TARGETS[kind] else 1)


main()
