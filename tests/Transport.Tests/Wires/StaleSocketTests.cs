using System;
using System.IO;
using System.Net.Sockets;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Tests.Wires;

[TestFixture]
[Platform(Exclude = "Win", Reason = "Windows pipes vanish with their process.")]
public sealed class StaleSocketTests
{
    /// <summary>Above every pid_max: no process has it.</summary>
    private const string ExitedPid = "2147483647";

    private TestFolder _folder = null!;

    [SetUp]
    public void MakeFolder() => _folder = new TestFolder();

    [TearDown]
    public void RemoveFolder() => _folder?.Dispose();

    [Test]
    public void A_socket_of_an_exited_process_is_removed_by_the_next_endpoint()
    {
        string stale = LeaveSocket(ExitedPid + "-0123abcd.sock");
        _ = EndpointDirectory.NewEndpoint(WireKind.UnixSocket, _folder.Settings);
        Assert.That(File.Exists(stale), Is.False);
    }

    [Test]
    public void A_socket_on_which_someone_listens_is_kept_whatever_its_name()
    {
        string path = _folder.Path + "/" + ExitedPid + "-0123abcd.sock";
        using IWireListener live = WireFactory.Listen(new WireEndpoint(WireKind.UnixSocket, path));
        _ = EndpointDirectory.NewEndpoint(WireKind.UnixSocket, _folder.Settings);
        Assert.That(File.Exists(path));
    }

    [Test]
    public void A_socket_of_a_living_process_is_kept_even_before_it_listens()
    {
        string path = LeaveSocket(_folder.Settings.ProcessId + "-0123abcd.sock");
        _ = EndpointDirectory.NewEndpoint(WireKind.UnixSocket, _folder.Settings);
        Assert.That(File.Exists(path));
    }

    [TestCase("other.sock")]
    [TestCase(ExitedPid + "-0123ABCD.sock")]
    [TestCase(ExitedPid + "-0123abc.sock")]
    [TestCase(ExitedPid + "-0123abcd.sock.bak")]
    [TestCase("-1-0123abcd.sock")]
    public void Sockets_with_other_names_are_not_ours(string name)
    {
        string path = LeaveSocket(name);
        _ = EndpointDirectory.NewEndpoint(WireKind.UnixSocket, _folder.Settings);
        Assert.That(File.Exists(path));
    }

    [Test]
    public void Files_and_links_with_our_names_are_left_alone()
    {
        string file = _folder.Path + "/" + ExitedPid + "-00000001.sock";
        File.WriteAllText(file, "precious");
        string link = _folder.Path + "/" + ExitedPid + "-00000002.sock";
        Shell.Output("ln", $"-s {LeaveSocket("target.sock")} {link}");
        _ = EndpointDirectory.NewEndpoint(WireKind.UnixSocket, _folder.Settings);
        Assert.That(File.ReadAllText(file), Is.EqualTo("precious"));
        Assert.That(Shell.Output("readlink", link), Is.Not.Empty);
    }

    [Test]
    public void A_socket_older_than_the_process_that_now_has_its_number_is_removed()
    {
        if (!File.Exists("/usr/bin/touch") && !File.Exists("/bin/touch"))
        {
            Assert.Ignore("touch is missing.");
        }

        string path = LeaveSocket(_folder.Settings.ProcessId + "-0123abcd.sock");
        Shell.Output("touch", $"-d 2001-01-01 {path}");
        _ = EndpointDirectory.NewEndpoint(WireKind.UnixSocket, _folder.Settings);
        Assert.That(File.Exists(path), Is.False);
    }

    [Test]
    public async Task A_fixed_path_is_taken_over_from_an_exited_listener()
    {
        string path = LeaveSocket("fixed.sock");
        using IWireListener listener = WireFactory.Listen(new WireEndpoint(WireKind.UnixSocket, path));
        using IWire client = await WireFactory.ConnectAsync(listener.Endpoint, WithinExtensions.Bound, []);
        Assert.That(client.Peer.IsCurrentUser);
    }

    [Test]
    public void A_fixed_path_is_not_taken_from_a_living_listener_nor_from_a_file()
    {
        var endpoint = new WireEndpoint(WireKind.UnixSocket, _folder.Path + "/fixed.sock");
        using IWireListener first = WireFactory.Listen(endpoint);
        var e = Assert.Throws<TransportException>(() => WireFactory.Listen(endpoint));
        Assert.That(e!.Message, Does.Contain("another process listens there"));

        string file = _folder.Path + "/file";
        File.WriteAllText(file, "precious");
        e = Assert.Throws<TransportException>(() => WireFactory.Listen(new WireEndpoint(WireKind.UnixSocket, file)));
        Assert.That(e!.Message, Does.Contain("no socket"));
        Assert.That(File.ReadAllText(file), Is.EqualTo("precious"));
    }

    [Test]
    public void A_disposed_listener_removes_its_own_socket_only()
    {
        string path = _folder.Path + "/fixed.sock";
        using IWireListener first = WireFactory.Listen(new WireEndpoint(WireKind.UnixSocket, path));
        File.Delete(path);
        using IWireListener second = WireFactory.Listen(new WireEndpoint(WireKind.UnixSocket, path));
        first.Dispose();
        Assert.That(File.Exists(path), "the second listener's");
        second.Dispose();
        Assert.That(File.Exists(path), Is.False);
    }

    [Test]
    public void The_socket_file_is_for_its_user_alone()
    {
        using IWireListener listener = WireFactory.Listen(EndpointDirectory.NewEndpoint(WireKind.UnixSocket, _folder.Settings));
        Assert.That(Shell.Output("stat", "-c %a " + listener.Endpoint.Address), Is.EqualTo("600"));
    }

    [Test]
    public void A_folder_that_is_missing_is_a_bad_endpoint()
    {
        var e = Assert.Throws<TransportException>(() =>
            WireFactory.Listen(new WireEndpoint(WireKind.UnixSocket, _folder.Path + "/none/x.sock")));
        Assert.That(e!.Fault, Is.EqualTo(TransportFault.BadEndpoint));
        Assert.That(e.Message, Does.Contain("The folder must exist and be writable"));
    }

    private string LeaveSocket(string name)
    {
        string path = _folder.Path + "/" + name;
        using Socket socket = UnixSocketEndPoint.NewSocket();
        socket.Bind(new UnixSocketEndPoint(path));
        return path;
    }
}
