using System.IO;
using System.Threading;
using System.Threading.Tasks;
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

    /// <summary>Seen among containers with a folder in common: the process id of a living main node or collector is nobody's in another PID
    /// namespace, and its tails and notes vanished.</summary>
    [Test]
    public void A_file_that_a_process_of_another_PID_namespace_holds_is_kept([Values(".tail", ".note", ".connect")] string extension)
    {
        using var folder = new TestFolder();
        string path = Path.Combine(folder.Path, ExitedPid + "-0123abcd" + extension);
        using (HeldFile.Create(path))
        {
            _ = EndpointDirectory.NewEndpoint(WireKind.UnixSocket, folder.Settings);
            Assert.That(path, Does.Exist);
        }

        _ = EndpointDirectory.NewEndpoint(WireKind.UnixSocket, folder.Settings);
        Assert.That(path, Does.Not.Exist, "nobody holds it any more");
    }

    /// <summary>Between making and locking it a file is nobody's: who clears away may be quicker, and then the maker makes it again.</summary>
    [Test]
    public void Making_held_files_and_clearing_away_at_once_loses_none()
    {
        using var folder = new TestFolder();
        using var stop = new CancellationTokenSource();
        Task cleaning = Task.Run(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                _ = EndpointDirectory.NewEndpoint(WireKind.UnixSocket, folder.Settings);
            }
        });
        for (int i = 0; i < 500; i++)
        {
            string path = Path.Combine(folder.Path, $"{ExitedPid}-{i:x8}.tail");
            using FileStream held = HeldFile.Create(path);
            Assert.That(path, Does.Exist);
        }

        stop.Cancel();
        Assert.That(Task.WaitAny([cleaning], WithinExtensions.Bound), Is.Zero);
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
