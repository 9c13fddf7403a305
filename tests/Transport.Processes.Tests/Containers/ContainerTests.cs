using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Containers;

/// <summary>
/// What containers and odd machines take away, made by the test as root with namespaces and limits. A kernel's kill in a control group is
/// in <see cref="Exits.MemoryKillTests"/>. docs/guide/containers.md says what to mount and set.
/// </summary>
[Platform("Linux")]
internal sealed class ContainerTests
{
    private const string Ready = "1000 clean";
    private const int Enough = 160;

    /// <summary>What has not ended then stands still; its output counts.</summary>
    private static readonly string[] ForAWhile = ["/usr/bin/timeout", "-s", "KILL", "15"];

    private TestFolder _folder = null!;

    [SetUp]
    public void MakeFolder()
    {
        if (EndpointSettings.FromEnvironment().UserId != 0 || !File.Exists("/usr/bin/unshare") || !File.Exists("/usr/bin/setpriv"))
        {
            Assert.Ignore("needs root, unshare and setpriv to make what a container has");
        }

        _folder = new TestFolder();
    }

    [TearDown]
    public void RemoveFolder() => _folder?.Dispose();

    [Test]
    public async Task A_user_without_home_and_entry_in_passwd_starts_workers()
    {
        string[] stranger = ["/usr/bin/setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"];
        (ProcessExit reads, _) = await Shell.Run(new WorkerStartOptions(stranger[0], [.. stranger.Skip(1), "test", "-r", Worker[1]]));
        if (!reads.IsSuccess)
        {
            Assert.Ignore($"another user cannot read {Worker[1]}");
        }

        string said = await RunAsync([.. stranger, "env", "-i", "PATH=/usr/bin:/bin", "DOTNET_EnableDiagnostics=0", .. Report]);
        Assert.That(said, Does.StartWith(Ready));
    }

    [Test]
    public async Task On_a_read_only_root_one_folder_is_enough()
    {
        string tmp = Path.GetFullPath(_folder.Path);
        const string Setup = "mount -t tmpfs none /mnt && mkdir /mnt/t && mount --bind \"$1\" /mnt/t || exit 1; "
            + "for at in / /tmp /dev/shm /run; do mount -o remount,bind,ro $at 2>/dev/null; done; "
            + "for at in / /tmp /dev/shm; do ! touch $at/written 2>/dev/null || { echo \"mount: $at stays\"; exit 1; }; done; "
            + "shift; exec \"$@\"";
        string said = await RunAsync(["/usr/bin/unshare", "-m", "/bin/sh", "-c", Setup, "sh", tmp, "env", "TMPDIR=/mnt/t", "TRANSPORT_DIR=",
            "XDG_RUNTIME_DIR=", .. Report]);
        if (said.Contains("mount: "))
        {
            Assert.Ignore("needs the right to mount: " + said);
        }

        Assert.That(said, Does.StartWith(Ready));
    }

    [Test]
    public async Task A_main_node_is_process_1() =>
        Assert.That(await RunAsync(["/usr/bin/unshare", "-pf", "--mount-proc", .. Report]), Does.StartWith(Ready));

    /// <summary>Each took the other's sockets and tails for what a dead process had left, because it has no such process.</summary>
    [Test]
    public async Task Main_nodes_in_two_pid_namespaces_share_a_folder()
    {
        var lines = new Lines();
        ChildProcess first = ChildProcess.Start(Options(["/usr/bin/unshare", "-pf", "--mount-proc", "--kill-child",
            .. Words("main", "unix"), .. Words("worker-stay")]).With(output: lines.Take));
        try
        {
            await lines.First(line => line.Text.StartsWith("connected ", StringComparison.Ordinal), "connected");
            string[] before = Files();
            Assert.That(before, Is.Not.Empty);
            for (int i = 0; i < 3; i++)
            {
                Assert.That(await RunAsync(["/usr/bin/unshare", "-pf", "--mount-proc", .. Report]), Does.StartWith(Ready));
            }

            Assert.That(Files(), Is.SupersetOf(before));
        }
        finally
        {
            first.Kill();
            await first.WaitForExitAsync().Within("the first one's end");
        }
    }

    [Test]
    public async Task With_few_descriptors_a_worker_runs_or_a_line_says_what_is_short([Values(64, 80, 96, Enough)] int limit)
    {
        WorkerStartOptions start = TestHost.WithDescriptors(limit, new(Report[0], [.. Report.Skip(1)]));
        string said = await RunAsync([.. ForAWhile, start.FileName, .. start.Arguments]);
        Assert.That(said, Does.Not.Contain("rejected busy; ").Or.Contains("file descriptors"));
        if (limit == Enough)
        {
            Assert.That(said, Does.StartWith(Ready));
        }
    }

    /// <summary>"rejected busy" and "out of memory" hid that threads were short. With very few the runtime ends by itself, in various ways,
    /// or stands still: its pool does not ask for a first thread again.</summary>
    [Test]
    public async Task With_few_threads_a_worker_runs_or_a_line_says_what_is_short([Values(14, 20, 24, 40)] int limit)
    {
        string said = await RunAsync([.. ForAWhile, "/usr/bin/setpriv", "--reuid=54322", "--regid=54322", "--clear-groups",
            "/usr/bin/prlimit", $"--nproc={limit}", "env", "TRANSPORT_DIR=", .. Report]);
        Assert.That(said, Does.Not.Contain("rejected busy; ").Or.Contains("no more threads"));
        Assert.That(said, Does.Not.Contain("SIGABRT, out of memory").Or.Contains("out of memory or threads"));
    }

    [Test]
    public async Task An_ignored_SIGCHLD_loses_no_exit_code() =>
        Assert.That(await RunAsync(["/bin/sh", "-c", "trap '' CHLD; exec \"$@\"", "sh", .. Report]), Does.StartWith(Ready));

    [Test]
    public async Task Where_io_uring_is_refused_the_variable_falls_back_and_the_option_says_why()
    {
        if (!File.Exists("/usr/bin/python3"))
        {
            Assert.Ignore("needs python3 to set a filter");
        }

        string[] filtered = ["/usr/bin/python3", Path.Combine(Repository.Root, "tests", "assets", "no-uring.py")];
        string journal = Path.Combine(_folder.Path, "journal");
        string said = await RunAsync([.. filtered, "env", "TRANSPORT_JOURNAL_IO=uring", .. Words("journal", "few", journal, "Automatic")]);
        Assert.That(said, Does.StartWith("open write: TRANSPORT_JOURNAL_IO asks for uring: io_uring is forbidden here"));
        Assert.That(said, Does.EndWith("closed"));
        said = await RunAsync([.. filtered, .. Words("journal", "few", journal, "Uring")]);
        Assert.That(said, Does.Contain("io_uring is forbidden here").And.EndsWith("BackEndUnavailable"));
    }

    private static string[] Worker => Words("worker-send", "1000");

    private static string[] Report => [.. Words("main-report"), .. Worker];

    private static string[] Words(params string[] words)
    {
        WorkerStartOptions start = TestHost.Start(words);
        return [start.FileName, .. start.Arguments];
    }

    private WorkerStartOptions Options(string[] words) => new(words[0], [.. words.Skip(1)])
    {
        Environment = { ["TRANSPORT_DIR"] = _folder.Path, ["DOTNET_EnableDiagnostics"] = "0" },
    };

    private Task<string> RunAsync(string[] words) => Shell.Said(Options(words));

    private string[] Files() => [.. Directory.GetFileSystemEntries(_folder.Path, "*", SearchOption.AllDirectories)];
}
