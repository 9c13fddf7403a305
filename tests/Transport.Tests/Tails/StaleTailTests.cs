using System.IO;
using NUnit.Framework;
using Transport.Testing.Wires;
using Transport.Tests.Wires;

namespace Transport.Tests.Tails;

/// <summary>A main node that is killed cannot take its workers' tails away; the next one of its user does, and touches nothing
/// else.</summary>
[Platform(Exclude = "Win", Reason = "There a tail lies in the temporary folder, which the system clears.")]
internal sealed class StaleTailTests
{
    /// <summary>Above every pid_max: no process has it.</summary>
    private const string ExitedPid = "2147483647";

    [Test]
    public void A_tail_of_an_exited_main_node_is_removed_by_the_next_endpoint([Values("unix", "pipe")] string kind)
    {
        using var folder = new TestFolder();
        string path = Path.Combine(folder.Path, ExitedPid + "-0123abcd.tail");
        File.WriteAllBytes(path, new byte[TailLayout.Least]);
        _ = EndpointDirectory.NewEndpoint(WireKinds.Of(kind), folder.Settings);
        Assert.That(Directory.GetFileSystemEntries(folder.Path), Is.Empty);
    }

    [Test]
    public void A_tail_of_a_living_main_node_is_kept()
    {
        using var folder = new TestFolder();
        using (TailFile live = TailFile.Create(EndpointDirectory.NewTail(folder.Settings), TailLayout.Least))
        {
            _ = EndpointDirectory.NewEndpoint(WireKind.UnixSocket, folder.Settings);
            Assert.That(live.Path, Does.Exist);
        }

        Assert.That(Directory.GetFileSystemEntries(folder.Path), Is.Empty, "it took its own away");
    }

    [TestCase("other.tail")]
    [TestCase(ExitedPid + "-0123ABCD.tail")]
    [TestCase(ExitedPid + "-0123abc.tail")]
    [TestCase(ExitedPid + "-0123abcd.tail.kept")]
    [TestCase(ExitedPid + "-0123abcd.log")]
    public void Files_of_other_names_are_not_ours(string name)
    {
        using var folder = new TestFolder();
        string path = Path.Combine(folder.Path, name);
        File.WriteAllText(path, "precious");
        _ = EndpointDirectory.NewEndpoint(WireKind.UnixSocket, folder.Settings);
        Assert.That(File.ReadAllText(path), Is.EqualTo("precious"));
    }

    [Test]
    public void A_link_or_a_folder_of_our_name_is_left_alone()
    {
        using var folder = new TestFolder();
        string target = Path.Combine(folder.Path, "target"), link = Path.Combine(folder.Path, ExitedPid + "-00000001.tail");
        File.WriteAllText(target, "precious");
        Shell.Output("ln", $"-s {target} {link}");
        string inner = Directory.CreateDirectory(Path.Combine(folder.Path, ExitedPid + "-00000002.tail")).FullName;
        _ = EndpointDirectory.NewEndpoint(WireKind.UnixSocket, folder.Settings);
        Assert.That(File.ReadAllText(target), Is.EqualTo("precious"));
        Assert.That(Shell.Output("readlink", link), Is.EqualTo(target));
        Assert.That(inner, Does.Exist);
    }
}
