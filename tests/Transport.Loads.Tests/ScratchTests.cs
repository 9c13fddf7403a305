using System;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using NUnit.Framework;
using Transport.Loads.Scratch;

namespace Transport.Loads.Tests;

/// <summary>Nothing of a run stays behind: not after a signal, and not after the run that follows a kill.</summary>
[TestFixture]
[Platform("Linux")]
public sealed class ScratchTests
{
    private const int Exited = int.MaxValue;   // more than any process can have
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(90);

    private string _folder = null!;

    [SetUp]
    public void Make() => _folder = Directory.CreateTempSubdirectory("scratch-tests-").FullName;

    [TearDown]
    public void Remove() => Directory.Delete(_folder, recursive: true);

    [Test]
    public void What_exited_processes_left_is_removed_and_nothing_else()
    {
        string exited = Name(Exited, "trees-1"), socket = Name(Exited, "socket-1"), link = Name(Exited, "link-1");
        string alive = Name(Environment.ProcessId, "trees-1"), other = Path.Combine(_folder, "precious"),
            like = Path.Combine(_folder, ScratchPath.Prefix + "notes");
        Directory.CreateDirectory(Path.Combine(exited, "round1", "t0"));
        File.WriteAllText(Path.Combine(exited, "round1", "t0", "f"), "x");
        File.WriteAllText(socket, string.Empty);
        foreach (string folder in (string[])[alive, other, like])
        {
            Directory.CreateDirectory(folder);
            File.WriteAllText(Path.Combine(folder, "f"), "x");
        }

        Directory.CreateSymbolicLink(link, other);
        Directory.CreateSymbolicLink(Path.Combine(exited, "link"), other);
        Assert.That(new Leftovers([_folder]).RemoveOfTheExited(), Is.Empty);
        Assert.That(Directory.GetFileSystemEntries(_folder), Is.EquivalentTo(new[] { alive, other, like, link }));
        Assert.That(new[] { alive, other, like }.Select(f => File.Exists(Path.Combine(f, "f"))), Is.All.True);
    }

    [Test]
    public void A_name_says_whose_it_is()
    {
        string path = ScratchPath.New("trees", _folder);
        Assert.Multiple(() =>
        {
            Assert.That(ScratchPath.ProcessOf(path), Is.EqualTo(Environment.ProcessId));
            Assert.That(ScratchPath.ProcessOf(Path.Combine(_folder, "transport-loads-12x-trees")), Is.Null);
            Assert.That(ScratchPath.ProcessOf(Path.Combine(_folder, "something-12-trees")), Is.Null);
        });
    }

    [TestCase("INT", 130, "journal-second")]   // a worker process, a floor in C, files on a disk
    [TestCase("TERM", 143, "files-disk")]      // a mounted file system, if this user may mount
    public void A_run_that_is_stopped_leaves_nothing_and_says_little(string signal, int code, string scenario)
    {
        // A shell that runs the tests in the background lets them ignore SIGINT, and so does every process that they start.
        string[] command = ["--default-signal=" + signal, "dotnet", typeof(RunOptions).Assembly.Location, scenario, "--rounds", "1000"];
        var start = new ProcessStartInfo("env", command)
        {
            UseShellExecute = false, RedirectStandardError = true, RedirectStandardOutput = true,
        };
        start.Environment["TMPDIR"] = _folder;
        start.Environment[ScratchPath.DiskVariable] = _folder;
        using Process run = Process.Start(start)!;
        var lines = new ConcurrentQueue<string>();
        run.ErrorDataReceived += (_, line) => lines.Enqueue(line.Data ?? "(end)");
        run.BeginErrorReadLine();
        var table = run.StandardOutput.ReadToEndAsync();
        try
        {
            Assert.That(SpinUntil(() => run.HasExited || Descendants.Of(run.Id).Count > 0 && Named("round*", "ours-*").Length > 0), Is.True,
                "it measures");
            int[] workers = [.. Descendants.Of(run.Id)];
            Assert.That(Mounts.Tool("kill", "-" + signal, run.Id.ToString(CultureInfo.InvariantCulture)), Is.True);
            Assert.That(run.WaitForExit(Limit), Is.True, () => $"{string.Join('\n', lines)}\n{ThreadsOf(run.Id)}");
            run.WaitForExit();   // until the last line has come too
            string text = string.Join('\n', lines);
            Assert.Multiple(() =>
            {
                Assert.That(run.ExitCode, Is.EqualTo(code), text + table.GetAwaiter().GetResult());
                Assert.That(Directory.GetFileSystemEntries(_folder, ScratchPath.Prefix + "*"), Is.Empty);
                Assert.That(File.ReadAllText("/proc/self/mounts"), Does.Not.Contain(_folder));
                Assert.That(workers.Where(w => Descendants.Of(w).Count > 0 || Directory.Exists($"/proc/{w}/fd")
                    && File.ReadAllText($"/proc/{w}/cmdline").Contains(_folder, StringComparison.Ordinal)), Is.Empty);
                Assert.That(text, Does.Not.Contain("   at ").And.Not.Contain("Unhandled"));
            });
        }
        finally
        {
            if (!run.HasExited)
            {
                Descendants.Kill(run.Id);
                run.Kill();
            }

            run.WaitForExit();
            new Leftovers([_folder]).RemoveOfTheExited();
        }
    }

    /// <summary>Reports where each thread of a process, and of those that it started, waits in the kernel.</summary>
    private static string ThreadsOf(int process) => string.Join('\n', Descendants.Of(process).Prepend(process).SelectMany(p =>
        Directory.GetDirectories($"/proc/{p}/task").Select(t => $"{p} {Path.GetFileName(t)} {Line(t, "comm")}: {Line(t, "wchan")}")));

    private static string Line(string task, string name)
    {
        try
        {
            return File.ReadAllText(Path.Combine(task, name)).Trim();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return e.GetType().Name;
        }
    }

    private static bool SpinUntil(Func<bool> condition) => SpinWait.SpinUntil(condition, Limit);

    private string Name(int process, string rest) =>
        Path.Combine(_folder, string.Create(CultureInfo.InvariantCulture, $"{ScratchPath.Prefix}{process}-{rest}"));

    private string[] Named(params string[] patterns)
    {
        try
        {
            return [.. Directory.GetDirectories(_folder, ScratchPath.Prefix + "*")
                .SelectMany(f => patterns.SelectMany(p => Directory.GetDirectories(f, p)))];
        }
        catch (DirectoryNotFoundException)
        {
            return [];   // gone between two looks
        }
    }
}
