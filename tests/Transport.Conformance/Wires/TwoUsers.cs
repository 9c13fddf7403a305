using System;
using System.Diagnostics;
using System.IO;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Wires;

/// <summary>What another user of the machine can do: nothing. Needs root, which alone can start a process as someone else.</summary>
[TestFixture]
[Platform("Linux")]
public sealed class TwoUsers
{
    private const int Nobody = 65534;
    private const string Connecting = "import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); print('connected')";

    /// <summary>Tries everything that would be of use to somebody in the folder; says what the system let it do.</summary>
    private const string Meddling =
        "import os,socket,sys; p=sys.argv[1]; d=os.path.dirname(p); o=d+'-mine'\n" +
        "def t(n,f):\n" +
        "  try: f(); print('did '+n)\n" +
        "  except PermissionError: print('denied '+n)\n" +
        "t('list',lambda: os.listdir(d))\n" +
        "t('look',lambda: os.stat(p))\n" +
        "t('read',lambda: open(p,'rb'))\n" +
        "t('unlink',lambda: os.unlink(p))\n" +
        "t('rename',lambda: os.rename(p,p+'-old'))\n" +
        "t('replace',lambda: os.symlink('/dev/null',p+'-new'))\n" +
        "t('squat',lambda: socket.socket(socket.AF_UNIX).bind(d+'/1-00000000.sock'))\n" +
        "t('chmod',lambda: os.chmod(d,0o777))\n" +
        "t('move the folder',lambda: os.rename(d,o))\n" +
        "t('remove the folder',lambda: os.rmdir(d))\n";

    /// <summary>Sends hex digits, prints as such what comes back.</summary>
    private const string Saying =
        "import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])\n" +
        "try: s.sendall(bytes.fromhex(sys.argv[2]))\n" +
        "except OSError: pass\n" +
        "s.settimeout(80); r=b''\n" +
        "while True:\n" +
        "  try: p=s.recv(4096)\n" +
        "  except ConnectionResetError: p=b''\n" +
        "  r+=p\n" +
        "  if not p or (len(r)>10 and r[4]==2): break\n" +
        "print(r.hex())\n";

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
    public async Task Another_user_cannot_enter_the_folder([ValueSource(typeof(WireKinds), nameof(WireKinds.BetweenProcesses))] string kind)
    {
        using WireRig rig = WireKinds.Open(kind);
        Assert.That(await ConnectAsNobody(rig), Does.Contain("PermissionError"));
    }

    [Test]
    public async Task Another_user_cannot_open_the_socket_even_in_an_open_folder([ValueSource(typeof(WireKinds),
        nameof(WireKinds.BetweenProcesses))] string kind)
    {
        using WireRig rig = WireKinds.Open(kind);
        Run("/bin/chmod", "755 " + rig.Folder).Dispose();
        Assert.That(await ConnectAsNobody(rig), Does.Contain("PermissionError"));
    }

    [Test]
    public async Task Who_gets_in_all_the_same_is_known_by_the_kernels_word()
    {
        using WireRig rig = WireKinds.Open(WireKinds.Unix);
        Run("/bin/chmod", $"755 {rig.Folder}").Dispose();
        Run("/bin/chmod", $"666 {rig.Endpoint.Address}").Dispose();
        Assert.That(await ConnectAsNobody(rig), Does.Contain("connected"));
        using IWire server = await rig.Listener.AcceptAsync().Within("the other user's connection");
        Assert.That(server.Peer.UserId, Is.EqualTo(Nobody));
        Assert.That(server.Peer.IsCurrentUser, Is.False);
    }

    [Promise("Trust", "Another user can neither read, replace nor occupy an endpoint.")]
    [Test]
    public async Task Another_user_can_neither_list_read_replace_nor_squat([ValueSource(typeof(WireKinds),
        nameof(WireKinds.BetweenProcesses))] string kind)
    {
        using WireRig rig = WireKinds.Open(kind);
        string said = await SaidAsync(Meddling, rig.Endpoint.Address);
        TestContext.Out.WriteLine(said);
        Assert.That(said, Does.Not.Contain("did "));
        Assert.That(said.Split(["denied "], System.StringSplitOptions.None), Has.Length.EqualTo(11), "ten attempts, each denied");
        using IWire client = await rig.ConnectAsync();
        using IWire server = await rig.Listener.AcceptAsync().Within("our own connection, as ever");
        Assert.That(server.Peer.IsCurrentUser, Is.True);
    }

    [Promise("Trust", "A link needs both an allowed user and an unused secret.")]
    [TestCase(false, RawPeer.Reject)]
    [TestCase(true, RawPeer.Welcome)]
    public async Task A_right_secret_in_another_users_hands_lets_nobody_in_unless_the_user_is_allowed(bool allowed, int answer)
    {
        await using RawPeer peer = await RawPeer.ConnectAsync(WireKinds.Unix, o => o.AllowedUserIds = allowed ? [Nobody] : []);
        string path = peer.Listener.Endpoint.Address;
        Run("/bin/chmod", "755 " + Path.GetDirectoryName(path)).Dispose();
        Run("/bin/chmod", "666 " + path).Dispose();
        string hello = System.BitConverter.ToString(RawFrame.Bytes(0, RawPeer.Hello, RawPeer.HelloBody(peer.Secret)))
            .Replace("-", string.Empty);
        string said = await SaidAsync(Saying, $"{path} {hello}");
        Assert.That(said, Does.StartWith($"9300cd000{answer}c6"));
        if (!allowed)
        {
            Assert.That(peer.Refused.TryTake(out RefusedConnection? refused, WithinExtensions.Bound), Is.True);
            Assert.That((refused!.Code, refused.Identity.UserId), Is.EqualTo(("identity", (int?)Nobody)));

            // The secret was not even looked at: it is still good for whom it was meant.
            peer.Send(0, RawPeer.Hello, RawPeer.HelloBody(peer.Secret));
            Assert.That((await peer.ReadAsync()).Type, Is.EqualTo(RawPeer.Welcome));
        }
    }

    [Test]
    public async Task A_listener_of_another_user_is_not_trusted_unless_it_is_allowed()
    {
        using var folder = new TestFolder();
        string theirs = Path.Combine(folder.Path, "theirs");
        Directory.CreateDirectory(theirs);
        Run("/bin/chown", $"{Nobody} {theirs}").Dispose();
        Run("/bin/chmod", $"755 {folder.Path}").Dispose();
        var endpoint = new WireEndpoint(WireKind.UnixSocket, theirs + "/s");
        using Process squatter = StartAsNobody(Listening, endpoint.Address);
        try
        {
            Assert.That(await squatter.StandardOutput.ReadLineAsync().Within("the squatter"), Is.EqualTo("ready"));
            TransportException? e =
                await Assert.ThrowsAsync<TransportException>(() => WireFactory.ConnectAsync(endpoint, WithinExtensions.Bound, []));
            Assert.That(e!.Fault, Is.EqualTo(TransportFault.ConnectFailed));
            Assert.That(e.Message, Does.Contain("user id 65534").And.Contain(endpoint.ToString()));

            using IWire allowed = await WireFactory.ConnectAsync(endpoint, WithinExtensions.Bound, [Nobody]);
            Assert.That(allowed.Peer.UserId, Is.EqualTo(Nobody));
        }
        finally
        {
            squatter.StandardInput.Close();
            Assert.That(squatter.WaitForExit((int)WithinExtensions.Bound.TotalMilliseconds));
        }
    }

    private static Task<string> ConnectAsNobody(WireRig rig) => SaidAsync(Connecting, rig.Endpoint.Address);

    private static async Task<string> SaidAsync(string script, string arguments)
    {
        using Process process = StartAsNobody(script, arguments);
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = await process.StandardOutput.ReadToEndAsync().Within("the other user's process");
        return output + await errors.Within("its errors");
    }

    private static Process StartAsNobody(string script, string argument) =>
        Run("/usr/bin/setpriv", $"--reuid={Nobody} --regid={Nobody} --clear-groups /usr/bin/python3 -c \"{script}\" {argument}",
            wait: false);

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
