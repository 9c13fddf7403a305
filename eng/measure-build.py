#!/usr/bin/env python3
"""Compares `buildharness build` with `dotnet build`, two nodes with `-m:2` and one with `-m:1`, in interleaved rounds, on a generated
solution of 20 libraries and a program.

    eng/measure-build.py [noop|full] [ROUNDS]            (noop and 9 by default)
    eng/measure-build.py noop-kept|full-kept [ROUNDS]    what `dotnet build` gains from processes that it keeps for the next build

noop: nothing is left to do. full: every output is removed before each build. Nothing stays alive between builds (no compiler server, no
node reuse, no MSBuild server), so that each pays for what it starts; CPU is that of all processes a build has started. The kept ones are
measured beside it: node reuse, the MSBuild server, and what `dotnet build` does by itself (node reuse and the compiler server); they are
warm, since each has built once before the first round. Exit code 1: a build failed, or the median of a pair is over its target.
"""
import pathlib
import sys
import tempfile

from builds import arguments, end_kept, install, interleave, measure_kept, prepare_solution, remove_outputs
from pairs import say_rounds

TARGETS = {"noop": (1.10, 1.10), "full": (0.85, 1.03), "noop-kept": None, "full-kept": None}   # two nodes, one node
KEPT = {
    "node reuse": ["MSBUILDDISABLENODEREUSE=0"],
    "MSBuild server": ["DOTNET_CLI_USE_MSBUILD_SERVER=1", "MSBUILDUSESERVER=1"],
    "by itself": ["MSBUILDDISABLENODEREUSE=0", "UseSharedCompilation=true"],
}


def main():
    kind, rounds = arguments(TARGETS, 9, __doc__)
    is_full, is_kept = kind.startswith("full"), kind.endswith("-kept")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        solution, program = prepare_solution(work), install(work)
        build = ["dotnet", "build", solution, "--no-restore", "-v", "q", "-nologo"]
        harness = [program, "build", solution, "--no-restore", "-v", "q"]

        def remove():
            if is_full:
                remove_outputs(solution.parent)

        if is_kept:
            commands = {"dotnet build -m:2": [*build, "-m:2"], "buildharness": [*harness, "--nodes", "2"],
                **{f"-m:2, {name}": ["env", *settings, *build, "-m:2"] for name, settings in KEPT.items()},
                "buildharness, compiler server": ["env", "UseSharedCompilation=true", *harness, "--nodes", "2"]}
            try:
                for command in commands.values():
                    measure_kept(command)
                compare_kept(kind, interleave(commands, rounds, remove, measure_kept))
            finally:
                end_kept()
            return

        commands = {"dotnet build -m:2": [*build, "-m:2"], "buildharness, 2 nodes": [*harness, "--nodes", "2"],
            "dotnet build -m:1": [*build, "-m:1"], "buildharness, 1 node": [*harness, "--nodes", "1"]}
        results = interleave(commands, rounds, remove)
    sys.exit(0 if all([compare(kind, results, nodes, most) for nodes, most in zip((2, 1), TARGETS[kind])]) else 1)


def compare(kind, results, nodes, most):
    """Says what the harness takes beside `dotnet build`. Gives whether its target is met."""
    ours, theirs = results[f"buildharness, {nodes} node{'s' if nodes > 1 else ''}"], results[f"dotnet build -m:{nodes}"]
    wall = say_rounds(f"{kind}, {nodes} nodes, of the time of -m:{nodes} (target {most:.2f})", ours, theirs, 0)
    say_rounds(f"{kind}, {nodes} nodes, of its CPU", ours, theirs, 1)
    return wall <= most


def compare_kept(kind, results):
    """Says what each way takes beside `dotnet build` that keeps nothing."""
    bare = results.pop("dotnet build -m:2")
    for name, values in results.items():
        for i, what in enumerate(["the time", "the CPU"]):
            say_rounds(f"{kind}, {name}: {what} of -m:2", values, bare, i)


main()
