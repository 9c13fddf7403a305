#!/usr/bin/env python3
"""Compares `buildharness build` with `dotnet build -m:2` in interleaved pairs, on a generated solution of 20 libraries and a program.

    eng/measure-build.py [noop|full|collect|collect-full] [ROUNDS] [WORK]        (noop and 9 by default)

noop: nothing is left to do. full: every output is removed before each build. collect, collect-full: `buildharness build` with --collect-outputs beside itself without it, of such builds.
WORK: a folder that keeps the solution and the program, so that a long measurement can be made in parts. All keep nothing alive between builds (no compiler server, no node reuse, no MSBuild server), so that
each pays for what it starts; CPU is that of all processes a build has started. Exit code 1: a build failed, or the median of the pairs is over the target (1.15 and 1.00 of the time; for the others 1.05 of the CPU).
"""
import ctypes
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

TARGETS = {"noop": 1.15, "full": 1.00, "collect": 1.05, "collect-full": 1.05}
ROOT = pathlib.Path(__file__).resolve().parent.parent
PR_SET_CHILD_SUBREAPER = 36


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(word) for word in command)} failed with exit code {done.returncode}:\n{done.stdout}")


def reap(seconds=60):
    """Waits for processes that a build left behind, so that their CPU counts for it. One that does not end by itself would spoil every later round: it is named."""
    end = time.monotonic() + seconds
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            if time.monotonic() > end:
                sys.exit(f"after {seconds} s there is still what a build left behind, so its CPU cannot be counted: {'; '.join(left_behind()) or 'unknown'}")
            time.sleep(0.02)


def left_behind():
    """The children of this process, as pid and command line."""
    names = []
    for pid in pathlib.Path("/proc/self/task").glob("*/children"):
        for child in pid.read_text().split():
            try:
                names.append(f"pid {child} {pathlib.Path('/proc', child, 'cmdline').read_text().replace(chr(0), ' ').strip()[:200]}")
            except OSError:
                pass  # it has just ended
    return names


def measure(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    run(*command)
    wall = time.monotonic() - start
    reap()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def remove_outputs(folder):
    for outputs in [*folder.glob("*/bin/Debug"), *folder.glob("*/obj/Debug")]:
        shutil.rmtree(outputs)


def main():
    kind = sys.argv[1] if len(sys.argv) > 1 else "noop"
    if kind not in TARGETS or len(sys.argv) > 4 or not all(word.isdecimal() and int(word) > 0 for word in sys.argv[2:3]):
        sys.exit(__doc__)
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    os.environ.update(UseSharedCompilation="false", MSBUILDDISABLENODEREUSE="1", DOTNET_CLI_USE_MSBUILD_SERVER="0", DOTNET_NOLOGO="1")
    with tempfile.TemporaryDirectory() as temporary:
        work = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else temporary).absolute()
        folder, harness = work / "solution", work / "harness"
        if not (work / "ready").exists():
            run("dotnet", "run", "-c", "Release", "--project", ROOT / "tests/assets/SolutionGenerator", "--", folder)
            run("dotnet", "publish", ROOT / "samples/BuildHarness", "-c", "Release", "--use-current-runtime", "--self-contained", "false", "-o", harness)
            run("dotnet", "build", next(folder.glob("*.sln*")), "-v", "q", "-nologo")
            reap()
            (work / "ready").touch()
        solution = next(folder.glob("*.sln*"))
        build = [harness / "buildharness", "build", solution, "--no-restore", "--nodes", "2", "-v", "q"]
        ours, theirs = ("with --collect-outputs", "without") if kind.startswith("collect") else ("buildharness", "dotnet build")
        commands = {
            theirs: build if kind.startswith("collect") else ["dotnet", "build", solution, "--no-restore", "-m:2", "-v", "q", "-nologo"],
            ours: [*build, "--collect-outputs", work / "collected"] if kind.startswith("collect") else build,
        }
        results = {name: [] for name in commands}
        for turn in range(rounds):
            order = list(commands.items())
            for name, command in order if turn % 2 == 0 else reversed(order):
                if kind.endswith("full"):
                    remove_outputs(folder)
                results[name].append(measure(command))
            print(f"round {turn + 1} of {rounds}: " + ", ".join(f"{name} {values[-1][0]:.2f} s" for name, values in results.items()), file=sys.stderr)

    for name, values in results.items():
        print(f"{name}: {statistics.median(wall for wall, _ in values):.2f} s, CPU {statistics.median(cpu for _, cpu in values):.2f} s")
    ratios = [sorted(one[i] / other[i] for one, other in zip(results[ours], results[theirs])) for i in range(2)]
    wall, cpu = (statistics.median(values) for values in ratios)
    print(f"{kind}, {rounds} pairs: {wall:.3f} x {theirs} [{ratios[0][0]:.3f} to {ratios[0][-1]:.3f}], CPU {cpu:.3f} x [{ratios[1][0]:.3f} to {ratios[1][-1]:.3f}] (target {TARGETS[kind]:.2f} of the {'CPU' if kind.startswith('collect') else 'time'})")
    sys.exit(0 if (cpu if kind.startswith("collect") else wall) <= TARGETS[kind] else 1)


main()
