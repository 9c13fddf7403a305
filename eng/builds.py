"""What the programs that measure builds share: a generated solution, the installed harness, and the time and CPU of everything a command
started."""
import ctypes
import os
import pathlib
import platform
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PR_SET_CHILD_SUBREAPER = 36


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(word) for word in command)} failed with exit code {done.returncode}:\n{done.stdout}")


def reap(seconds=60, but=()):
    """Waits for processes that a build left behind, so that their CPU counts for it. One that does not end by itself would spoil every
    later round: it is named.

    but: the ids of children that stay."""
    end = time.monotonic() + seconds
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            if but and children() <= set(but):
                return
            if time.monotonic() > end:
                sys.exit(f"after {seconds} s there is still what a build left behind, so its CPU cannot be counted: "
                    f"{'; '.join(left_behind()) or 'unknown'}")
            time.sleep(0.02)


def children(pid="self"):
    """The ids of a process's children, of this one's if nothing else is said."""
    return {int(child) for thread in pathlib.Path(f"/proc/{pid}/task").glob("*/children") for child in thread.read_text().split()}


def left_behind():
    """The children of this process, as pid and command line."""
    names = []
    for child in children():
        try:
            names.append(f"pid {child} {pathlib.Path(f'/proc/{child}/cmdline').read_text().replace(chr(0), ' ').strip()[:200]}")
        except OSError:
            pass  # it has just ended
    return names


def measure(command, but=()):
    """The time of a command, and the CPU of all that it started."""
    return measure_own(command, but)[:2]


def measure_own(command, but=()):
    """The time of a command, the CPU of all that it started, and that of its own process alone: of a build the main node, without its
    workers and what they start."""
    before = ended_cpu()
    start = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([str(word) for word in command], stdout=output, stderr=subprocess.STDOUT)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        user, kernel = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
        wall = time.monotonic() - start
        exit_if_failed(command, process.wait(), output)
    reap(but=but)
    return wall, ended_cpu() - before, (int(user) + int(kernel)) / os.sysconf("SC_CLK_TCK")


def exit_if_failed(command, code, output):
    """Ends this program with what a command has said, if it has failed."""
    if code != 0:
        output.seek(0)
        sys.exit(f"{' '.join(str(word) for word in command)} failed with exit code {code}:\n{output.read().decode(errors='replace')}")


def measure_kept(command):
    """The time of a command that leaves processes behind for the next one, and the CPU of all that it started and that was there
    before."""
    before = ended_cpu() + living_cpu()
    start = time.monotonic()
    with tempfile.TemporaryFile() as output:
        code = subprocess.run([str(word) for word in command], stdout=output, stderr=subprocess.STDOUT).returncode
        wall = time.monotonic() - start
        exit_if_failed(command, code, output)
    collect_ended()
    return wall, ended_cpu() + living_cpu() - before


def collect_ended():
    """Collects children that have ended; waits for none."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
    except ChildProcessError:
        pass


def ended_cpu():
    """The CPU of this process's children that have ended, and of theirs."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def descendants(pid="self"):
    """The ids of the processes that live below this one."""
    below = list(children(pid))
    return below + [further for child in below for further in descendants(child)]


def living_cpu():
    """The CPU that the living processes below this one have used, and their own children that have ended."""
    ticks = 0
    for pid in descendants():
        try:
            ticks += sum(int(word) for word in pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:15])
        except OSError:
            pass  # it has just ended
    return ticks / os.sysconf("SC_CLK_TCK")


def end_kept():
    """Ends what builds have left behind."""
    while living := descendants():
        for pid in living:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass  # it has just ended
        collect_ended()
        time.sleep(0.02)


def most_memory(command):
    """The most private memory that a command's own process has while it runs, in MB, looked at every 20 ms: what nobody shares and was
    written to."""
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL)
    most = 0
    while process.poll() is None:
        try:
            lines = pathlib.Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()
            most = max(most, *(int(line.split()[1]) for line in lines if line.startswith("Private_Dirty:")), 0)
        except OSError:
            pass  # it has just ended
        time.sleep(0.02)
    if process.returncode != 0:
        sys.exit(f"{' '.join(str(word) for word in command)} failed with exit code {process.returncode}")
    reap()
    return most * 1024 / 1e6


def add_outputs(folder):
    """Gives a project outputs of 220 MB: 400 files of 64 KiB and 6 of 32 MiB."""
    large = next(folder.glob("*/bin/Debug/*")) / "large"
    large.mkdir()
    for i in range(406):
        (large / f"data{i}").write_bytes(os.urandom(64 << 10 if i < 400 else 32 << 20))


def remove_outputs(folder):
    for outputs in [*folder.glob("*/bin/Debug"), *folder.glob("*/obj/Debug")]:
        shutil.rmtree(outputs)


def forget_servers():
    """Lets nothing that a build starts live on after it, and counts its CPU here."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    os.environ.update(UseSharedCompilation="false", MSBUILDDISABLENODEREUSE="1", DOTNET_CLI_USE_MSBUILD_SERVER="0", DOTNET_NOLOGO="1")


def prepare_solution(work, libraries=20, layers=5):
    """Writes and builds a solution of so many libraries in layers and a program, and lets nothing live on between builds. Gives the
    solution."""
    forget_servers()
    folder = work / "solution"
    run("dotnet", "run", "-c", "Release", "--project", ROOT / "tests/Transport.TestHost", "-f", "net10.0", "--", "write-solution", folder,
        libraries, layers)
    solution = next(folder.glob("*.sln*"))
    run("dotnet", "build", solution, "-v", "q", "-nologo")
    reap()   # what it has left behind would count for the first build that is measured
    return solution


def prepare(work):
    """Prepares the solution and installs the harness. Gives the solution and the command that builds it with two nodes."""
    solution = prepare_solution(work)
    return solution, [install(work), "build", solution, "--no-restore", "--nodes", "2", "-v", "q"]


def install(work):
    """Makes the harness's package for this machine and installs it, so that what is measured is what its users have. Gives the program."""
    machine = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}.get(platform.machine(), "any")
    run(ROOT / "eng/pack.sh", "--only", "BuildHarness", work / "packages", env={**os.environ, "ToolMachines": machine})
    run("dotnet", "tool", "install", "Transport.BuildHarness", "--version", "0.1.0", "--add-source", work / "packages",
        "--tool-path", work / "harness")
    reap()
    return work / "harness/buildharness"


def interleave(commands, rounds, before=lambda: None, measure=measure):
    """Measures named commands in turn, every second round backwards, and prints their medians. Gives each one's walls and CPUs.

    before: called before each command. measure: what measures one."""
    results = {name: [] for name in commands}
    for turn in range(rounds):
        order = list(commands.items())
        for name, command in order if turn % 2 == 0 else reversed(order):
            before()
            results[name].append(measure(command))
        print(f"round {turn + 1} of {rounds}: " +
            ", ".join(f"{name} {values[-1][0]:.2f} s" for name, values in results.items()), file=sys.stderr)

    for name, values in results.items():
        print(f"{name}: {statistics.median(wall for wall, _ in values):.2f} s, CPU {statistics.median(cpu for _, cpu in values):.2f} s")
    return results


def arguments(kinds, rounds, usage):
    """Reads a kind of build and a number of rounds from the command line, or prints the usage and ends."""
    words = sys.argv[1:]
    kind = words[0] if words else "noop"
    if kind not in kinds or len(words) > 2 or not all(word.isdecimal() and int(word) > 0 for word in words[1:]):
        sys.exit(usage)
    return kind, int(words[1]) if len(words) > 1 else rounds
