using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Containers;

/// <summary>Workers in a sandbox without sockets (tests/clients/nosock.c): they inherit pipes, and nothing has to be set for it.
/// docs/guide/containers.md says what works there.</summary>
[Platform("Linux")]
internal sealed class SandboxTests
{
    private TestFolder _folder = null!;
    private string _sandbox = null!;

    [SetUp]
    public async Task Compile()
    {
        _folder = new TestFolder();
        _sandbox = await CompiledC.Program(_folder.Path, CompiledC.Sandbox);
    }

    [TearDown]
    public void RemoveFolder() => _folder.Dispose();

    [Test]
    public async Task A_worker_runs_without_sockets_on_both_runtimes([Values] bool crossed)
    {
        string[] worker = Words(TestHost.StartOn(crossed ? TestHost.Other : TestHost.Own, "worker-send", "1000"));
        Assert.That(await RunAsync([_sandbox, .. Words(TestHost.Start("main-report")), .. worker]), Does.StartWith("1000 clean"));
    }

    /// <summary>Filters answer what their authors chose, and systemd's RestrictAddressFamilies EAFNOSUPPORT.</summary>
    [Test]
    public async Task It_does_so_whatever_the_filter_answers([Values(13, 38, 93, 97)] int error) => Assert.That(
        await RunAsync([_sandbox, $"{error}", .. Words(TestHost.Start("main-report")), .. Words(TestHost.Start("worker-send", "1000"))]),
        Does.StartWith("1000 clean"));

    /// <summary>The folder is there from ordinary use, so that only the socket in it is refused (EROFS).</summary>
    [Test]
    public async Task It_does_so_where_the_folder_of_sockets_cannot_be_written_any_more() => Assert.That(
        await RunReadOnlyAsync(_folder.Path, ["env", "TRANSPORT_DIR=" + _folder.Path]),
        Does.StartWith("1000 killed SIGKILL").And.Contain("0 lost)"));

    [Test]
    public async Task What_a_killed_worker_had_queued_is_delivered_without_a_folder_that_can_be_written() => Assert.That(
        await RunReadOnlyAsync("/tmp", [_sandbox, "env", "-u", "XDG_RUNTIME_DIR", "-u", "TRANSPORT_DIR"]),
        Does.StartWith("1000 killed SIGKILL").And.Contain("lost 0 (").And.Contain("0 lost)"));

    [Test]
    public async Task Where_a_socket_was_asked_for_by_its_endpoint_the_system_is_named()
    {
        string said = await RunAsync([_sandbox, .. Words(TestHost.Start("main-at", "unix:" + Path.Combine(_folder.Path, "s")))]);
        string at = $"^BadEndpoint not-permitted: Cannot listen at unix:{_folder.Path}/s: ";
        Assert.That(said, Does.Match(at + "not permitted \\(EPERM\\).*gives its workers pipes"));
    }

    /// <summary>Runs a main node whose worker sends and is killed, where a folder cannot be written.</summary>
    private static async Task<string> RunReadOnlyAsync(string folder, string[] by)
    {
        if (EndpointSettings.FromEnvironment().UserId != 0 || !File.Exists("/usr/bin/unshare"))
        {
            Assert.Ignore("needs root and unshare to make a folder that cannot be written");
        }

        const string Mount = "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\" || echo mount: refused; "
            + "! touch \"$1/written\" 2>/dev/null || echo mount: stays; shift; exec \"$@\"";
        string said = await RunAsync(["/usr/bin/unshare", "-m", "/bin/sh", "-c", Mount, "sh", folder, .. by,
            .. Words(TestHost.Start("main-report")), .. Words(TestHost.Start("worker-kill", "1000", "9"))]);
        if (said.Contains("mount: "))
        {
            Assert.Ignore("needs the right to mount: " + said);
        }

        return said;
    }

    private static string[] Words(WorkerStartOptions start) => [start.FileName, .. start.Arguments];

    private static Task<string> RunAsync(string[] words) => Shell.Said(new WorkerStartOptions(words[0], [.. words.Skip(1)])
    {
        Environment = { ["DOTNET_EnableDiagnostics"] = "0" },
    });
}
