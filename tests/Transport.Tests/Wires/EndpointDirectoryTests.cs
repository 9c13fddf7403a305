using System;
using System.IO;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Tests.Wires;

[TestFixture]
[Platform(Exclude = "Win", Reason = "Private folders are for sockets, which are for Unix.")]
public sealed class EndpointDirectoryTests
{
    private TestFolder _folder = null!;
    private EndpointSettings _settings = null!;

    [SetUp]
    public void MakeFolder()
    {
        _folder = new TestFolder();
        _settings = _folder.Settings with { Override = null, RuntimeDirectory = null, TemporaryDirectory = _folder.Path,
            ShortTemporaryDirectory = _folder.Path };
    }

    [TearDown]
    public void RemoveFolder() => _folder?.Dispose();

    [Test]
    public void The_folder_is_made_in_the_temporary_one_with_mode_0700_and_the_user_in_its_name([Values("unix", "pipe")] string kind)
    {
        WireEndpoint endpoint = EndpointDirectory.NewEndpoint(WireKinds.Of(kind), _settings);
        string expected = $"{_folder.Path}/transport-{_settings.UserId}";
        Assert.That(Path.GetDirectoryName(endpoint.Address), Is.EqualTo(expected));
        Assert.That(Path.GetFileName(endpoint.Address), Does.Match($"^{_settings.ProcessId}-[0-9a-f]{{8}}\\.sock$"));
        Assert.That(endpoint.Kind, Is.EqualTo(WireKinds.Of(kind)));
        Assert.That(Shell.Output("stat", $"-c %a {expected}"), Is.EqualTo("700"));
    }

    [Test]
    public void Two_endpoints_differ()
    {
        WireEndpoint first = EndpointDirectory.NewEndpoint(WireKind.UnixSocket, _settings);
        Assert.That(EndpointDirectory.NewEndpoint(WireKind.UnixSocket, _settings), Is.Not.EqualTo(first));
    }

    [Test]
    public void The_runtime_folder_comes_first()
    {
        string runtime = Made("runtime", "700");
        Assert.That(Directory(_settings with { RuntimeDirectory = runtime }), Is.EqualTo(runtime + "/transport"));
    }

    [Test]
    public void A_runtime_folder_that_others_can_write_is_passed_over()
    {
        string runtime = Made("runtime", "777");
        Assert.That(Directory(_settings with { RuntimeDirectory = runtime }), Is.EqualTo($"{_folder.Path}/transport-{_settings.UserId}"));
    }

    [Test]
    public void A_runtime_folder_that_is_missing_is_passed_over() =>
        Assert.That(Directory(_settings with { RuntimeDirectory = _folder.Path + "/none" }),
            Is.EqualTo($"{_folder.Path}/transport-{_settings.UserId}"));

    [Test]
    public void The_users_choice_comes_before_all()
    {
        string chosen = _folder.Path + "/chosen";
        Assert.That(Directory(_settings with { Override = chosen, RuntimeDirectory = Made("runtime", "700") }), Is.EqualTo(chosen));
        Assert.That(Directory(_settings with { Override = chosen + "/" }), Is.EqualTo(chosen),
            "used again, and the closing slash does not matter");
    }

    [Test]
    public void A_long_temporary_folder_gives_way_to_a_short_one()
    {
        string tooLong = Made(new string('t', 90), "700");
        Assert.That(Directory(_settings with { TemporaryDirectory = tooLong }), Is.EqualTo($"{_folder.Path}/transport-{_settings.UserId}"));
    }

    [Test]
    public void A_long_choice_of_the_user_is_an_error_with_bytes_used_and_allowed()
    {
        string tooLong = _folder.Path + "/" + new string('t', 100);
        string message = Fault(_settings with { Override = tooLong });
        Assert.That(message, Does.Match($"takes \\d+ bytes, and this system allows {SocketPath.MaxBytes}. Set TRANSPORT_DIR to"));
        Assert.That(System.IO.Directory.Exists(tooLong), Is.False, "nothing was made");
    }

    [Test]
    public void A_relative_choice_of_the_user_is_an_error() =>
        Assert.That(Fault(_settings with { Override = "here" }), Does.Contain("absolute path is needed"));

    [Test]
    public void A_folder_that_others_can_enter_is_refused([Values("711", "750", "777")] string mode)
    {
        string message = Fault(_settings with { Override = Made("open", mode) });
        Assert.That(message, Does.Contain($"its mode is 0{mode}, and 0700 is needed").And.Contain("TRANSPORT_DIR"));
    }

    [Test]
    public void Each_use_looks_anew_at_what_has_become_of_the_folder()
    {
        EndpointSettings settings = _settings with { Override = _folder.Path + "/mine" };
        Assert.That(Directory(settings), Is.EqualTo(_folder.Path + "/mine"));
        Shell.Output("chmod", $"755 {_folder.Path}/mine");
        Assert.That(Fault(settings), Does.Contain("its mode is 0755"));
        Shell.Output("chmod", $"700 {_folder.Path}/mine");
        Assert.That(Directory(settings), Is.EqualTo(_folder.Path + "/mine"));
        Shell.Output("mv", $"{_folder.Path}/mine {_folder.Path}/moved");
        Shell.Output("ln", $"-s {_folder.Path}/moved {_folder.Path}/mine");
        Assert.That(Fault(settings), Does.Contain("it is a symbolic link"));
    }

    [Test]
    public void A_link_is_refused_even_to_a_valid_folder()
    {
        Shell.Output("ln", $"-s {Made("valid", "700")} {_folder.Path}/link");
        Assert.That(Fault(_settings with { Override = _folder.Path + "/link" }), Does.Contain("it is a symbolic link"));
        Assert.That(Fault(_settings with { Override = _folder.Path + "/link/" }), Does.Contain("it is a symbolic link"),
            "a closing slash would follow the link");
    }

    [Test]
    public void A_file_in_the_folders_place_is_refused()
    {
        File.WriteAllText(_folder.Path + "/file", string.Empty);
        Assert.That(Fault(_settings with { Override = _folder.Path + "/file" }), Does.Contain("it is no folder"));
    }

    [Test]
    public void A_folder_without_a_parent_is_refused() =>
        Assert.That(Fault(_settings with { Override = _folder.Path + "/a/b" }), Does.Contain("it cannot be made: no such file"));

    [Test]
    public void A_folder_of_another_user_is_refused()
    {
        // Seen from the other side, so that no second user is needed: the folder is ours, and the process another's.
        string message = Fault(_settings with { Override = Made("foreign", "700"), UserId = _settings.UserId + 1 });
        Assert.That(message, Does.Contain($"it belongs to user id {_settings.UserId}, and this process runs as {_settings.UserId + 1}"));
    }

    [Test]
    public void A_folder_that_another_user_has_put_in_our_place_is_refused()
    {
        if (_settings.UserId != 0)
        {
            Assert.Ignore("Only root can give a folder away.");
        }

        string squatted = Made("transport-0", "700");
        Shell.Output("chown", $"65534 {squatted}");
        Assert.That(Fault(_settings), Does.Contain("it belongs to user id 65534, and this process runs as 0"));
    }

    private static string Directory(EndpointSettings settings) =>
        Path.GetDirectoryName(EndpointDirectory.NewEndpoint(WireKind.UnixSocket, settings).Address)!;

    private static string Fault(EndpointSettings settings)
    {
        var e = Assert.Throws<TransportException>(() => EndpointDirectory.NewEndpoint(WireKind.UnixSocket, settings));
        Assert.That(e!.Fault, Is.EqualTo(TransportFault.BadEndpoint));
        return e.Message;
    }

    private string Made(string name, string mode)
    {
        string path = _folder.Path + "/" + name;
        System.IO.Directory.CreateDirectory(path);
        Shell.Output("chmod", $"{mode} {path}");
        return path;
    }
}
