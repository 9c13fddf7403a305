using System;
using System.Diagnostics;
using System.IO;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;
using Transport.Wires;

namespace Transport.Conformance.Wires;

/// <summary>What another user of the machine can do: nothing. Needs root, which alone can start a process as someone else.</summary>
[TestFixture]
[Platform("Linux")]
public sealed class TwoUsers
{
    private const int Nobody = 65534;
    private const string Connecting = "import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); print('connected')";

    private const string Listening =
        "import socket,sys; s=socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(5); print('ready',flush=True); sys.stdin.read()";

    [SetUp]
    public void NeedsRoot()
    {
        if (EndpointSettings.FromEnvironment().UserId != 0 || !File.Exists("/usr/bin/setpriv") || !File.Exists("/usr/bin/python3"))
        {
            Assert.Ignore("Needs root, setpriv and python3 to act as a second user.");
        }
    }

    [Test]
    public async Task AnotherUserCannotEnterTheFolder([ValueSource(typeof(WireKinds), nameof(WireKinds.BetweenProcesses))] string kind)
    {
        using WireRig rig = WireKinds.Open(kind);
        Assert.That(await ConnectAsNobody(rig), Does.Contain("PermissionError"));
    }

    [Test]
    public async Task AnotherUserCannotOpenTheSocketEvenInAnOpenFolder([ValueSource(typeof(WireKinds), nameof(WireKinds.BetweenProcesses))] string kind)
    {
        using WireRig rig = WireKinds.Open(kind);
        Run("/bin/chmod", "755 " + rig.Folder).Dispose();
        Assert.That(await ConnectAsNobody(rig), Does.Contain("PermissionError"));
    }

    [Test]
    public async Task WhoGetsInAllTheSameIsKnownByTheKernelsWord()
    {
        using WireRig rig = WireKinds.Open(WireKinds.Unix);
        Run("/bin/chmod", $"755 {rig.Folder}").Dispose();
        Run("/bin/chmod", $"666 {rig.Endpoint.Address}").Dispose();
        Assert.That(await ConnectAsNobody(rig), Does.Contain("connected"));
        using IWire server = await rig.Listener.AcceptAsync().Within("the other user's connection");
        Assert.That(server.Peer.UserId, Is.EqualTo(Nobody));
        Assert.That(server.Peer.IsCurrentUser, Is.False);
    }

    [Test]
    public async Task AListenerOfAnotherUserIsNotTrustedUnlessItIsAllowed()
    {
        using var folder = new TestFolder();
        string theirs = Path.Combine(folder.Path, "theirs");
        Directory.CreateDirectory(theirs);
        Run("/bin/chown", $"{Nobody} {theirs}").Dispose();
        Run("/bin/chmod", $"755 {folder.Path}").Dispose();
        var endpoint = new WireEndpoint("unix", theirs + "/s");
        using Process squatter = StartAsNobody(Listening, endpoint.Address);
        try
        {
            Assert.That(await squatter.StandardOutput.ReadLineAsync().Within("the squatter"), Is.EqualTo("ready"));
            TransportException? e = await Assert.ThrowsAsync<TransportException>(() => WireFactory.ConnectAsync(endpoint, WithinExtensions.Bound));
            Assert.That(e!.Fault, Is.EqualTo(TransportFault.ConnectFailed));
            Assert.That(e.Message, Does.Contain("user id 65534").And.Contain(endpoint.ToString()));

            using IWire allowed = await WireFactory.ConnectAsync(endpoint, WithinExtensions.Bound, [Nobody]);
            Assert.That(allowed.Peer.UserId, Is.EqualTo(Nobody));
        }
        finally
        {
            squatter.StandardInput.Close();
            Assert.That(squatter.WaitForExit(20_000));
        }
    }

    private static async Task<string> ConnectAsNobody(WireRig rig)
    {
        using Process process = StartAsNobody(Connecting, rig.Endpoint.Address);
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = await process.StandardOutput.ReadToEndAsync().Within("the other user's process");
        return output + await errors.Within("its errors");
    }

    private static Process StartAsNobody(string script, string argument) =>
        Run("/usr/bin/setpriv", $"--reuid={Nobody} --regid={Nobody} --clear-groups /usr/bin/python3 -c \"{script}\" {argument}", wait: false);

    private static Process Run(string program, string arguments, bool wait = true)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        Process process = Process.Start(start)!;
        if (wait)
        {
            process.WaitForExit();
            Assert.That(process.ExitCode, Is.Zero, $"{program} {arguments}");
        }

        return process;
    }
}
