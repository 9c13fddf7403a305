#!/usr/bin/env python3
"""What a task waits for each message that it logs, and what a build whose tasks log much takes: MSBuild's own worker nodes, its binary log,
and `buildharness` with a journal and with nothing wanted but errors.

    eng/measure-logs.py [ROUNDS] [MESSAGES]        (9 and 20000 by default)

The workload is that of dotnet/msbuild issue 14113: 8 projects without an SDK, each with two tasks that log MESSAGES formatted messages of
low importance. Each command builds them in turn, every second round backwards, and then projects whose tasks log one message: the
difference of the two is what messages cost. Nothing lives on between builds. Prints medians and the median ratios of the pairs with
their 90 % intervals. Exit code 1: a build failed.
"""
import pathlib
import statistics
import sys
import tempfile

from builds import forget_servers, install, measure, reap, run
from pairs import say_rounds

PROJECTS = 8

TASK = """
using System.Diagnostics;
using System.IO;
using Microsoft.Build.Framework;
using System;

public sealed class LogMuch : Microsoft.Build.Utilities.Task
{
    public int Count { get; set; }

    public string Times { get; set; } = "";

    public override bool Execute()
    {
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < Count; i++)
        {
            Log.LogMessage(
                MessageImportance.Low,
                "Copying \\"obj/Release/net10.0/Part{0}.dll\\" to \\"bin/Release/net10.0/Part{0}.dll\\" ({1} bytes)", i, 4096);
        }

        double us = Stopwatch.GetElapsedTime(start).TotalMicroseconds;
        if (Times.Length > 0)
        {
            File.WriteAllText(Path.Combine(Times, Path.GetRandomFileName()), FormattableString.Invariant($"{Count} {us:0}"));
        }

        return true;
    }
}
"""

TASK_PROJECT = """
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
  <ItemGroup>
    <Reference Include="$(MSBuildToolsPath)/Microsoft.Build.Framework.dll" Private="false" />
    <Reference Include="$(MSBuildToolsPath)/Microsoft.Build.Utilities.Core.dll" Private="false" />
  </ItemGroup>
</Project>
"""

PROJECT = """
<Project DefaultTargets="Build">
  <PropertyGroup><Configuration>Debug</Configuration><Platform>AnyCPU</Platform></PropertyGroup>
  <UsingTask TaskName="LogMuch" AssemblyFile="{task}" />
  <Target Name="Restore" />
  <Target Name="GetTargetPath" />
  <Target Name="Build">
    <LogMuch Count="{count}" Times="$(Times)" />
    <LogMuch Count="{count}" Times="$(Times)" />
  </Target>
</Project>
"""


def write_solution(folder, task, count):
    folder.mkdir()
    for number in range(PROJECTS):
        (folder / f"P{number}.csproj").write_text(PROJECT.format(task=task, count=count))
    projects = "".join(f'<Project Path="P{number}.csproj" />' for number in range(PROJECTS))
    solution = folder / "S.slnx"
    solution.write_text(f"<Solution>{projects}</Solution>")
    return solution


def build_task(work):
    folder = work / "task"
    folder.mkdir()
    (folder / "LogMuch.cs").write_text(TASK)
    (folder / "LogMuch.csproj").write_text(TASK_PROJECT)
    run("dotnet", "build", folder, "-c", "Release", "-v", "q", "-nologo")
    reap()
    return folder / "bin/Release/net10.0/LogMuch.dll"


def waits(times):
    """The µs that a task waited for each of its messages, in all tasks together, and forgets them."""
    counted = waited = 0
    for file in times.iterdir():
        count, us = file.read_text().split()
        counted, waited = counted + int(count), waited + int(us)
        file.unlink()
    return waited / counted


def main():
    words = sys.argv[1:]
    if len(words) > 2 or not all(word.isdecimal() and int(word) > 0 for word in words):
        sys.exit(__doc__)
    rounds, messages = [*map(int, words), *(9, 20_000)[len(words):]]
    forget_servers()
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        harness, task, times = install(work), build_task(work), work / "times"
        times.mkdir()
        loud, quiet = (write_solution(work / name, task, count) for name, count in (("loud", messages), ("quiet", 1)))
        stock = ["dotnet", "build", "--no-restore", "-m:2", "-v:q", "-nologo", f"-p:Times={times}"]
        ours = [harness, "build", "--no-restore", "--nodes", "2", "-v", "q", f"-p:Times={times}"]
        commands = {
            "worker nodes": (["env", "MSBUILDNOINPROCNODE=1", *stock], []),
            "-m:2": (stock, []),
            "-m:2 -bl": (stock, [lambda turn: f"-bl:{work / f'log{turn}.binlog'}"]),
            "harness, journal": (ours, ["--journal", lambda turn: work / f"journal{turn}"]),
            "harness, errors only": (ours, []),
        }
        results = {}
        for name, solution in (("loud", loud), ("quiet", quiet)):
            for turn in range(rounds):
                for command, (start, more) in (list(commands.items())[::1 if turn % 2 == 0 else -1]):
                    words = [word(f"{name}{turn}") if callable(word) else word for word in more]
                    wall, cpu = measure([*start, solution, *words])
                    results.setdefault((command, name), []).append((wall, cpu, waits(times)))
                print(f"{name}: round {turn + 1} of {rounds}", file=sys.stderr)
    report(results, list(commands), messages)


def report(results, commands, messages):
    all_messages = PROJECTS * 2 * messages
    print(f"{'':22}{'waits us':>10}{'whole s':>10}{'CPU s':>8}{'1 message: s':>14}{'CPU s':>8}"
        f"{'us of wall a message':>22}{'us of CPU':>11}")
    for command in commands:
        loud, quiet = (
            [statistics.median(values) for values in zip(*results[command, name])] for name in ("loud", "quiet"))
        print(f"{command:22}{loud[2]:10.2f}{loud[0]:10.2f}{loud[1]:8.2f}{quiet[0]:14.2f}{quiet[1]:8.2f}"
            f"{(loud[0] - quiet[0]) * 1e6 / all_messages:22.2f}{(loud[1] - quiet[1]) * 1e6 / all_messages:11.2f}")

    def compare(what, ours, theirs, name, column):
        say_rounds(what, results[ours, name], results[theirs, name], column)

    journal, errors, nodes = "harness, journal", "harness, errors only", "worker nodes"
    compare("a task's wait, all in the journal, beside worker nodes", journal, nodes, "loud", 2)
    compare("a task's wait, errors only, beside worker nodes", errors, nodes, "loud", 2)
    compare("whole build, all in the journal, beside -m:2 -bl", journal, "-m:2 -bl", "loud", 0)
    compare("whole build, errors only, beside worker nodes", errors, nodes, "loud", 0)
    compare("whole build, errors only, beside -m:2", errors, "-m:2", "loud", 0)
    compare("tasks that log one message, errors only, beside worker nodes", errors, nodes, "quiet", 0)
    compare("tasks that log one message, errors only, beside -m:2", errors, "-m:2", "quiet", 0)


main()
