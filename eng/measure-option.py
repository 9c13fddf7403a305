#!/usr/bin/env python3
"""What an option of `buildharness build` costs: the same build without it, with it, and without it once more, in turns.

    eng/measure-option.py journal|collect|trace [PAIRS] [--full] [--replace]        (15 pairs by default)

On a generated solution of 20 libraries and a program with nothing left to do; --full: every output is removed before each build. What
the option writes is new each time; --replace, of collect: each collection takes the place of the one before. Prints the median of the
pairs' ratios of CPU (of all processes a build has started) and of time, each with its 90 % interval (bootstrap), and beside them the
same of the two runs without the option: what this machine shows where nothing differs. Also the CPU where only what the main node has
more counts: it has a fifth of a build's CPU, so much less noise, and what the workers have more is left out. Of collect, then the most
memory of the main node without and with it, with 220 MB of outputs, median of 3. Exit code 1: a build failed, or the option's median of
CPU is over its target.
"""
import argparse
import pathlib
import statistics
import sys
import tempfile

from builds import add_outputs, measure_own, most_memory, prepare, remove_outputs
from pairs import say

OPTIONS = {"journal": (["--journal"], 1.03), "collect": (["--collect-outputs"], 1.05), "trace": (["--trace"], None)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("option", choices=OPTIONS)
    parser.add_argument("pairs", nargs="?", type=int, default=15)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--replace", action="store_true")
    given = parser.parse_args()
    if given.replace and given.option != "collect":
        parser.error("--replace: only a collection takes the place of an earlier one")
    words, target = OPTIONS[given.option]
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        solution, build = prepare(work)
        commands = {"without": build, "with": [*build, *words], "again": build}
        results = {name: [] for name in commands}
        names = list(commands)
        if given.replace:
            measure_own([*commands["with"], work / "written"])
        for pair in range(given.pairs):
            for name in names[pair % 3:] + names[:pair % 3]:
                if given.full:
                    remove_outputs(solution.parent)
                # Else new for each build, and nothing is removed before the end: on ext4 making files within minutes of removing others
                # costs many times as much.
                written = [work / ("written" if given.replace else f"written{pair}")] if name == "with" else []
                results[name].append(measure_own([*commands[name], *written]))
            print(f"pair {pair + 1} of {given.pairs}: " + ", ".join(f"{name} {values[-1][0]:.2f} s, CPU {values[-1][1]:.2f} s, of it the "
                f"main node {values[-1][2]:.2f}" for name, values in results.items()), file=sys.stderr)

        memory = {name: [] for name in ("without", "with")}
        if given.option == "collect":
            add_outputs(solution.parent)
            for turn in range(3):
                for name, values in memory.items():
                    values.append(most_memory([*commands[name], *([work / f"large{turn}"] if name == "with" else [])]))

    def ratios(name, what):
        return [mine[what] / plain[what] for mine, plain in zip(results[name], results["without"])]

    print(f"{words[0]}, {'everything' if given.full else 'nothing'} to do{', in place of the one before' if given.replace else ''}; "
        f"without it {statistics.median(run[1] for run in results['without']):.2f} s of CPU")
    cpu = say("CPU with it" + (f" (target {target:.2f})" if target else ""), ratios("with", 1))
    say("CPU without it, twice", ratios("again", 1))
    plain = statistics.median(run[1] for run in results["without"])
    for name, what in (("with", "CPU with it, where only what the main node has more counts"),
            ("again", "CPU without it, twice, likewise")):
        say(what, [1 + (mine[2] - other[2]) / plain for mine, other in zip(results[name], results["without"])])
    say("time with it", ratios("with", 0))
    say("time without it, twice", ratios("again", 0))
    if memory["with"]:
        print(f"memory of the main node, most: {statistics.median(memory['with']):.1f} MB, without it "
            f"{statistics.median(memory['without']):.1f}")
    sys.exit(1 if target and cpu > target else 0)


main()
