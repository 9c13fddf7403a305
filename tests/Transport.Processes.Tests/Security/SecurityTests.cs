using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Security;

/// <summary>docs/reference/security.md, as far as it takes a process of its own.</summary>
[Platform("Linux")]
public sealed class SecurityTests
{
    [Test]
    public async Task Main_node_that_runs_out_of_descriptors_keeps_its_worker_and_accepts_again()
    {
        const int Descriptors = 160, Hoarded = 300;
        using var folder = new TestFolder();
        WorkerStartOptions worker = TestHost.StartOn(TestHost.Net, "worker-stay"),
            main = TestHost.StartOn(TestHost.Net, ["main", "unix", worker.FileName, .. worker.Arguments]);
        var start = new WorkerStartOptions("/bin/sh", ["-c", $"ulimit -n {Descriptors}; exec \"$@\"", "sh", main.FileName,
            .. main.Arguments]);
        start.Environment["TRANSPORT_DIR"] = folder.Path;
        start.Environment["DOTNET_EnableDiagnostics"] = "0";
        var lines = new Lines();
        ChildProcess child = ChildProcess.Start(start.With(output: lines.Take));
        var hoard = new List<Socket>();
        try
        {
            OutputLine connected = await lines.First(l => l.Text.StartsWith("connected ", StringComparison.Ordinal), "connected")
                .ConfigureAwait(false);
            int workerId = int.Parse(connected.Text.Substring("connected ".Length));
            string path = Directory.GetFiles(folder.Path, "*.sock").Single();
            for (int i = 0; i < Hoarded; i++)
            {
                hoard.Add(Connect(path));
            }

            // All but the 32 that connections leave to the rest of the process: without any, .NET itself may give up.
            Assert.That(SpinWait.SpinUntil(() => ProcessTable.DescriptorsOf(child.ProcessId).Length >= Descriptors - 34,
                WithinExtensions.Bound), Is.True, "descriptors run out, or the test shows nothing");
            hoard.ForEach(s => s.Dispose());
            Assert.That(SpinWait.SpinUntil(() => ProcessTable.DescriptorsOf(child.ProcessId).Length < Descriptors / 2 + 20,
                WithinExtensions.Bound), Is.True, "what was taken is given back");
            using (Socket stranger = Connect(path))
            {
                Assert.That(SpinWait.SpinUntil(() => IsClosedAfterGarbage(stranger), WithinExtensions.Bound), Is.True,
                    "connections are accepted, and answered, as before");
            }

            Assert.That(Directory.Exists($"/proc/{workerId}"), Is.True, "the worker's link has not suffered");
            Assert.That(child.WaitForExitAsync().IsCompleted, Is.False);
        }
        finally
        {
            hoard.ForEach(s => s.Dispose());
            child.Kill();
            ProcessExit end = await child.WaitForExitAsync().Within("the main node's end").ConfigureAwait(false);
            TestContext.Out.WriteLine($"{end}: {string.Join(Environment.NewLine, lines.All().Select(l => l.Text))}");
        }
    }

    [Test]
    public async Task A_worker_that_a_main_node_has_no_descriptors_for_is_reported_so_and_so_is_who_reads_of_its_end()
    {
        using var folder = new TestFolder();
        WorkerStartOptions worker = TestHost.Start("worker-refused"),
            main = TestHost.Start(["main-crowded", "170", worker.FileName, .. worker.Arguments]);
        var start = new WorkerStartOptions("/bin/sh", ["-c", "ulimit -n 200; exec \"$@\"", "sh", main.FileName, .. main.Arguments])
        {
            Environment = { ["TRANSPORT_DIR"] = folder.Path, ["DOTNET_EnableDiagnostics"] = "0" },
        };
        (ProcessExit end, Lines lines) = await Shell.Run(start).ConfigureAwait(false);
        string said = string.Join("\n", lines.All().Select(l => l.Text));
        Assert.That(end.ExitCode, Is.Zero, said);
        Assert.That(said, Does.Contain("rejected busy; exit 3 after "));
        Assert.That(said, Does.Contain(
            "never had a link: its connection was refused: the main node's process has too few file descriptors left"));
        Assert.That(said, Does.Contain(
            "stderr: The main node refused the connection (busy): the main node's process has too few file descriptors left"),
            "and the worker knows it too");
    }

    [Test]
    public async Task Another_user_reads_neither_a_workers_environment_nor_its_memory()
    {
        const string Script = "import sys\nfor n in ('environ','mem','maps','fd/1'):\n  try:\n    "
            + "open('/proc/'+sys.argv[1]+'/'+n,'rb').read(1); print('read '+n)\n  except PermissionError: print('denied '+n)\n";
        if (EndpointSettings.FromEnvironment().UserId != 0 || !File.Exists("/usr/bin/setpriv") || !File.Exists("/usr/bin/python3"))
        {
            Assert.Ignore("Needs root, setpriv and python3 to act as a second user.");
        }

        await using var rig = new MainRig();
        WorkerProcess worker = await rig.StartConnected("worker-stay").ConfigureAwait(false);
        var nobody = new WorkerStartOptions("/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3",
            "-c",
            Script, $"{worker.ProcessId}");
        (ProcessExit end, Lines lines) = await Shell.Run(nobody).ConfigureAwait(false);
        Assert.That(end.IsSuccess, Is.True, string.Join("\n", lines.All()));
        Assert.That(lines.Of(isError: false), Is.EqualTo(new[] { "denied environ", "denied mem", "denied maps", "denied fd/1" }));
    }

    private static Socket Connect(string path)
    {
        Socket socket = UnixSocketEndPoint.NewSocket();
        socket.Connect(new UnixSocketEndPoint(path));
        return socket;
    }

    /// <summary>Whether the other side has closed, which it does at the first byte that is no frame's.</summary>
    private static bool IsClosedAfterGarbage(Socket socket)
    {
        try
        {
            _ = socket.Send(new byte[] { (byte)'G' });
            return socket.Poll(100_000, SelectMode.SelectRead) && socket.Receive(new byte[1]) == 0;
        }
        catch (SocketException)
        {
            return true;
        }
    }
}
