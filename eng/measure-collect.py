#!/usr/bin/env python3
"""Compares a build under `transport collect` with the same build alone, and its --detail with -bl, in interleaved rounds, on a generated
solution of 20 libraries and a program.

    eng/measure-collect.py [noop|full] [ROUNDS]        (noop and 15 by default)

noop: nothing is left to do. full: every output is removed before each build. The tool is published as its packages for a machine are:
compiled ahead. CPU is that of all processes a build has started, the collector's too; nothing stays alive between builds. Exit code 1:
a build failed, or a median of the rounds' ratios is over its target (noop: 1.06 wall and 1.15 CPU, --detail below -bl; full: 1.02 wall).
"""
import os
import pathlib
import sys
import tempfile

from builds import ROOT, arguments, interleave, prepare_solution, remove_outputs, run
from pairs import say_rounds

PAIRS = {   # what is compared with what, and the most that wall and CPU may be
    "noop": [("collect", "alone", 1.06, 1.15), ("-bl", "alone", None, None), ("collect --detail", "-bl", 1.0, 1.0)],
    "full": [("collect", "alone", 1.02, None), ("-bl", "alone", None, None), ("collect --detail", "-bl", 1.0, 1.0)],
}


def main():
    kind, rounds = arguments(PAIRS, 15, __doc__)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        os.environ["XDG_STATE_HOME"] = str(work / "state")
        solution = prepare_solution(work)
        run("dotnet", "publish", ROOT / "src/Transport.Tool", "-c", "Release", "-f", "net10.0", "--use-current-runtime",
            "--self-contained", "false", "-o", work / "tool")
        build = ["dotnet", "build", solution, "--no-restore", "-m:2", "-v", "q", "-nologo"]
        collect = [work / "tool/Transport.Tool", "collect"]
        commands = {
            "alone": [*build, "-tl:off"],
            "-bl": [*build, "-tl:off", f"-bl:{work / 'build.binlog'};ProjectImports=None"],
            "collect": [*collect, "--", *build],
            "collect --detail": [*collect, "--detail", "--", *build],
        }
        results = interleave(commands, rounds, lambda: remove_outputs(solution.parent) if kind == "full" else None)

    missed = 0
    for ours, theirs, *most in PAIRS[kind]:
        for i, what in enumerate(["wall", "CPU"]):
            median = say_rounds(f"{kind}, {ours} / {theirs}, {what}", results[ours], results[theirs], i)
            if most[i] is not None and median > most[i]:
                print(f"  over the target of {most[i]:.2f} x")
                missed += 1
    sys.exit(1 if missed else 0)


main()
