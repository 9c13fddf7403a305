using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Collecting;
using BuildHarness.Packets;
using BuildHarness.Summary;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport;
using Transport.Testing;
using Transport.Testing.Wires;

namespace BuildHarness.Tests.Collecting;

/// <summary>What becomes of files that workers send, of workers that die in the middle, and of workers that lie.</summary>
[TestFixture]
[Platform(Include = "Linux")]
[UnsupportedOSPlatform("windows")]
internal sealed class CollectionTests
{
    private CollectRig _rig = null!;

    [SetUp]
    public void Open() => _rig = new CollectRig();

    [TearDown]
    public async Task Close() => await _rig.DisposeAsync();

    [Test]
    public async Task Files_come_by_project_with_bytes_modes_and_times()
    {
        (Link link, OutputSender sender) = await _rig.ConnectAsync("n1");
        OutputItem small = _rig.Output("a.dll", "first"), empty = _rig.Output("de/empty", string.Empty),
            large = _rig.Output("large", new string('x', 3_000_000));
        File.SetUnixFileMode(small.FullPath, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        File.SetLastWriteTimeUtc(small.FullPath, new DateTime(2020, 1, 2, 3, 4, 5, 678, DateTimeKind.Utc));
        await SendAsync("n1", 0, link, sender, small, empty, large);
        await SendAsync("n1", 1, link, sender);
        CollectionSummary reported = await _rig.Collection.PublishAsync(default).Within("the collection");

        Assert.That(_rig.Published(), Is.EqualTo(new[] { "A/a.dll=first", "A/de/empty=", "A/large=" + new string('x', 3_000_000) }));
        var published = new FileInfo(Path.Combine(_rig.Target, "A", "a.dll"));
        Assert.That(published.UnixFileMode, Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute));
        Assert.That(published.LastWriteTimeUtc, Is.EqualTo(new DateTime(2020, 1, 2, 3, 4, 5, 678, DateTimeKind.Utc)));
        Assert.That(reported.Projects.Select(p => (p.Folder, p.Files, p.Bytes)),
            Is.EqualTo(new (string?, long, long)[] { ("A", 3, 3_000_005), (null, 0, 0) }));
        Assert.That(_rig.Failed.IsCompleted, Is.False);
    }

    [Test]
    public async Task A_worker_that_dies_in_a_file_leaves_nothing_of_it_where_the_next_one_sends_it_again()
    {
        (Link first, _) = await _rig.ConnectAsync("n1");
        (Link second, OutputSender sender) = await _rig.ConnectAsync("n2");
        _rig.Collection.Begin("n1", _rig.Projects[0]);
        await CollectRig.SendAsync(first, 0, "gone", "only the first had it");
        await CollectRig.SendAsync(first, 0, "a.dll", "half of", ends: false);
        await first.CloseAsync();
        _rig.Collection.Of("n1").Ended();
        await SendAsync("n2", 0, second, sender, _rig.Output("a.dll", "whole"));
        await SendAsync("n2", 1, second, sender);
        await _rig.Collection.PublishAsync(default).Within("the collection");

        Assert.That(_rig.Published(), Is.EqualTo(new[] { "A/a.dll=whole" }));
    }

    [Test]
    public async Task Of_a_project_that_was_sent_twice_the_later_turn_counts()
    {
        // The first has sent all, and died before it could say that the project is built.
        (Link first, OutputSender one) = await _rig.ConnectAsync("n1");
        (Link second, OutputSender two) = await _rig.ConnectAsync("n2");
        await SendAsync("n1", 0, first, one, _rig.Output("a.dll", "first"), _rig.Output("b.dll", "first"));
        await SendAsync("n2", 0, second, two, _rig.Output("a.dll", "second"));
        await SendAsync("n2", 1, second, two);
        await _rig.Collection.PublishAsync(default).Within("the collection");

        Assert.That(_rig.Published(), Is.EqualTo(new[] { "A/a.dll=second" }));
    }

    [Test]
    public async Task Without_a_project_nothing_is_published()
    {
        (Link link, OutputSender sender) = await _rig.ConnectAsync("n1");
        await SendAsync("n1", 0, link, sender, _rig.Output("a.dll", "first"));

        HarnessException? fault = await Assert.ThrowsAsync<HarnessException>(() => _rig.Collection.PublishAsync(default));
        Assert.That((fault!.Message, fault.ExitCode), Is.EqualTo(($"--collect-outputs {_rig.Target}: no outputs of B (net10.0) came.", 1)));
        Assert.That(Directory.Exists(_rig.Target), Is.False);
    }

    [TestCase("../up", "it has '.' or '..' in it")]
    [TestCase("a/../../../up", "it has '.' or '..' in it")]
    [TestCase("..", "it has '.' or '..' in it")]
    [TestCase(".", "it has '.' or '..' in it")]
    [TestCase("/tmp/absolute", "a name in it is empty")]
    [TestCase("a//b", "a name in it is empty")]
    [TestCase("", "a name in it is empty")]
    [TestCase("a/", "a name in it is empty")]
    [TestCase("nul\0", "it has a NUL in it")]
    public async Task A_hostile_path_ends_the_collection(string path, string why)
    {
        (Link link, _) = await _rig.ConnectAsync("n1");
        _rig.Collection.Begin("n1", _rig.Projects[0]);
        await CollectRig.SendAsync(link, 0, path, "evil");

        HarnessException fault = await _rig.Failed.Within("the failure");
        Assert.That(fault.Message, Does.StartWith(
            $"--collect-outputs {_rig.Target}: A (net10.0): n1 sent a file whose path is refused: ").And.EndsWith(why + "."));
        Assert.That(fault.Message, Has.None.Matches<char>(char.IsControl));
        Assert.That(fault.Message, Does.Not.Contain("0.1/"), "what it sent, not where it would have grown");
        Assert.That(Directory.EnumerateFileSystemEntries(_rig.Folder).Select(Path.GetFileName), Is.All.Matches("^(src|bin|\\.out\\..*)$"),
            "nothing outside");
        ExpectNothing();
    }

    [Test]
    public async Task Other_long_names_are_refused_too([Values(256, 5000)] int length)
    {
        (Link link, _) = await _rig.ConnectAsync("n1");
        _rig.Collection.Begin("n1", _rig.Projects[0]);
        await CollectRig.SendAsync(link, 0, string.Join('/', Enumerable.Repeat(new string('n', Math.Min(length, 250)), length / 250))
            + new string('m', 10), "evil");

        Assert.That((await _rig.Failed.Within("the failure")).Message, Does.Contain("whose path is refused").And.Contain("longer than"));
        ExpectNothing();
    }

    [Test]
    public async Task One_file_twice_or_a_file_for_a_folder_ends_it([Values("a/b", "a")] string second)
    {
        (Link link, _) = await _rig.ConnectAsync("n1");
        _rig.Collection.Begin("n1", _rig.Projects[0]);
        await CollectRig.SendAsync(link, 0, "a", "first");
        await CollectRig.SendAsync(link, 0, second, "second");
        await CollectRig.SendAsync(link, OutputsEnd.PacketType, new OutputsEnd(0, 2, 11, null));

        HarnessException? fault = await Assert.ThrowsAsync<HarnessException>(PublishAsync);
        Assert.That(fault!.Message, Does.StartWith($"--collect-outputs {_rig.Target}: ").And.Contain($"'A/{second.Split('/')[0]}"),
            "it names the project, not where its files grow");
        ExpectNothing();

        async Task PublishAsync()
        {
            await link.CloseAsync().Within("the link's end");
            await _rig.Collection.PublishAsync(default).Within("the collection");
        }
    }

    private static IEnumerable<TestCaseData> Lies()
    {
        byte[] hash = SHA256.HashData("evil"u8);
        yield return Lie("other bytes than their hash", "came damaged from n1", (OutputFileBegin.PacketType, Begin()),
            (OutputFileBytes.PacketType, new OutputFileBytes("bad!"u8.ToArray())), (OutputFileEnd.PacketType, new OutputFileEnd(4, hash)));
        yield return Lie("fewer bytes than reported", "came damaged from n1: 4 bytes of 5", (OutputFileBegin.PacketType, Begin()),
            (OutputFileBytes.PacketType, new OutputFileBytes("evil"u8.ToArray())), (OutputFileEnd.PacketType, new OutputFileEnd(5, hash)));
        yield return Lie("a file in a file", "a file began inside another", (OutputFileBegin.PacketType, Begin()),
            (OutputFileBegin.PacketType, Begin()));
        yield return Lie("bytes of no file", "bytes came outside of a file",
            (OutputFileBytes.PacketType, new OutputFileBytes("evil"u8.ToArray())));
        yield return Lie("an end of no file", "a file ended that had not begun", (OutputFileEnd.PacketType, new OutputFileEnd(0, hash)));
        yield return Lie("an end inside a file", "other numbers of files and bytes", (OutputFileBegin.PacketType, Begin()),
            (OutputsEnd.PacketType, new OutputsEnd(0, 0, 0, null)));
        yield return Lie("other numbers", "other numbers of files and bytes", (OutputsEnd.PacketType, new OutputsEnd(0, 1, 0, null)));
        yield return Lie("its own failure", "A (net10.0): x.dll: no\\u000amore",
            (OutputsEnd.PacketType, new OutputsEnd(0, 0, 0, "x.dll: no\nmore")));

        static OutputFileBegin Begin() => new(0, "a", 0x1A4, 0, 0);
        static TestCaseData Lie(string name, string why, params (object Type, object Packet)[] packets) =>
            new TestCaseData(why, packets).SetArgDisplayNames(name);
    }

    [TestCaseSource(nameof(Lies))]
    public async Task What_does_not_fit_ends_it(string why, (object Type, object Packet)[] packets)
    {
        (Link link, _) = await _rig.ConnectAsync("n1");
        _rig.Collection.Begin("n1", _rig.Projects[0]);
        foreach ((object type, object packet) in packets)
        {
            await (Task)typeof(CollectRig).GetMethods().Single(m => m.Name == nameof(CollectRig.SendAsync) && m.IsGenericMethod)
                .MakeGenericMethod(packet.GetType()).Invoke(null, [link, type, packet])!;
        }

        HarnessException fault = await _rig.Failed.Within("the failure");
        Assert.That(fault.Message, Does.StartWith($"--collect-outputs {_rig.Target}: ").And.Contain(why).And.Not.Contain("\n"));
        ExpectNothing();
    }

    [TestCase(1, "sent outputs of project 1, but it was given project 0")]
    [TestCase(-1, "sent outputs of project -1, but it was given project 0")]
    [TestCase(2, "sent outputs of project 2, but it was given project 0")]
    [TestCase(0, "sent outputs of project 0, but it was given none", true)]
    public async Task Outputs_of_a_project_that_a_worker_was_not_given_end_its_link_and_not_the_collection(
        int project, string why, bool isBuilt = false)
    {
        (Link link, OutputSender sender) = await _rig.ConnectAsync("n2");
        var begin = new OutputFileBegin(project, "a", 0x1A4, 0, 0);
        await LieAsync("n1", liar => CollectRig.SendAsync(liar, OutputFileBegin.PacketType, begin));
        await LieAsync("n3", liar => CollectRig.SendAsync(liar, OutputsEnd.PacketType, new OutputsEnd(project, 0, 0, null)));
        _rig.Collection.Begin("n2", _rig.Projects[0]);
        await CollectRig.SendAsync(sender, link, 0, _rig.Output("a.dll", "right")).Within("the outputs");
        _rig.Collection.Begin("n2", _rig.Projects[1]);
        await CollectRig.SendAsync(sender, link, 1).Within("the outputs");
        await link.CloseAsync().Within("the link's end");
        await _rig.Collection.PublishAsync(default).Within("the collection");
        Assert.That(_rig.Published(), Is.EqualTo(new[] { "A/a.dll=right" }));
        Assert.That(_rig.Failed.IsCompleted, Is.False);

        async Task LieAsync(string node, Func<Link, Task> lie)
        {
            (Link liar, _) = await _rig.ConnectAsync(node);
            _rig.Collection.Begin(node, _rig.Projects[0]);
            if (isBuilt)
            {
                _rig.Collection.Of(node).Finish();
            }

            await lie(liar);
            LinkEnd end = await _rig.Main.Completion.Within("the link's end");
            Assert.That(end.Fault, Is.EqualTo(TransportFault.HandlerFailed));
            Assert.That(end.Reason, Does.Contain($"{node} {why}"));
        }
    }

    [Test]
    public async Task More_than_was_granted_is_refused()
    {
        (Link link, _) = await _rig.ConnectAsync("n1", grants: false);
        _rig.Collection.Begin("n1", _rig.Projects[0]);
        int window = CollectWindow.Of(2);

        // One packet that is more than all that may be under way.
        await CollectRig.SendAsync(link, OutputFileBytes.PacketType, new OutputFileBytes(new byte[window]));

        LinkEnd end = await _rig.Main.Completion.Within("the link's end");
        Assert.That(end.Reason, Does.EndWith("n1 sent more outputs at once than it was granted."));
        Assert.That(_rig.Failed.IsCompleted, Is.False, "the others' outputs are not its business");
        ExpectNothing();
    }

    [Test]
    public async Task A_file_that_changes_or_vanishes_while_it_is_sent_ends_it([Values] bool vanishes)
    {
        (Link link, OutputSender sender) = await _rig.ConnectAsync("n1", grants: false);
        _rig.Collection.Begin("n1", _rig.Projects[0]);
        OutputItem file = _rig.Output("a.dll", new string('x', 100_000));
        Task sending = CollectRig.SendAsync(sender, link, 0, file);
        await Wait.UntilAsync(() => sender.Waits, "it has looked at the file, and waits for credit");
        if (vanishes)
        {
            File.Delete(file.FullPath);
        }
        else
        {
            File.AppendAllText(file.FullPath, "more");
        }

        _rig.Grant("n1");
        HarnessException fault = await _rig.Failed.Within("the failure");
        await sending.Within("the sender");
        Assert.That(fault.Message, Is.EqualTo($"--collect-outputs {_rig.Target}: A (net10.0): a.dll: "
            + $"{(vanishes ? "it is not there any more." : "it changed while it was read.")}"));
        ExpectNothing();
    }

    [Test]
    public async Task What_appears_meanwhile_is_not_replaced([Values("file", "folder", "link")] string what)
    {
        await SendAllAsync();
        Action appear = what switch
        {
            "file" => () => File.WriteAllText(_rig.Target, "mine"),
            "folder" => () => File.WriteAllText(Path.Combine(Directory.CreateDirectory(_rig.Target).FullName, "mine"), "mine"),
            _ => () => File.CreateSymbolicLink(_rig.Target, "/nowhere"),
        };
        appear();

        HarnessException? fault = await Assert.ThrowsAsync<HarnessException>(() => _rig.Collection.PublishAsync(default));
        Assert.That(fault!.Message, Does.StartWith($"--collect-outputs {_rig.Target}: "));
        Assert.That(what switch { "file" => File.ReadAllText(_rig.Target), "folder" => File.ReadAllText(Path.Combine(_rig.Target, "mine")),
            _ => new FileInfo(_rig.Target).LinkTarget }, Is.EqualTo(what == "link" ? "/nowhere" : "mine"));
    }

    [Test]
    public async Task One_that_was_cancelled_publishes_nothing()
    {
        await SendAllAsync();
        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();

        await Assert.ThrowsAsync(Is.InstanceOf<OperationCanceledException>(), () => _rig.Collection.PublishAsync(cancelled.Token));
        ExpectNothing();
    }

    /// <summary>A collector that has ended would leave every worker waiting for its credit.</summary>
    [Test]
    public async Task An_unexpected_exception_of_the_collector_is_why_nothing_is_collected_and_the_rest_is_still_answered()
    {
        NodeOutputs node = _rig.Collection.Of("n1");
        var turn = new OutputTurn(0, "A", "A", 1);
        _rig.Collection.Add(new Arrival(node, turn, new OutputFileBegin(0, "a", 0x1A4, 1, 2), Block: null, 0, 0));
        _rig.Collection.Add(new Arrival(node, turn, Packet: null, _rig.Collection.Blocks.Rent(1), Length: 1 << 20, 0));   // it is shorter
        HarnessException fault = await _rig.Failed.Within("the fault");
        Assert.That(fault.Message, Does.Contain("collecting failed: ").And.Contain("(ArgumentOutOfRangeException)"));
        _rig.Collection.Add(new Arrival(node, turn, new OutputsEnd(0, 1, 2, null), Block: null, 0, 0));
        await Assert.ThrowsAsync<HarnessException>(() => _rig.Collection.PublishAsync(default).Within("the end of the collector"));
        ExpectNothing();
    }

    private async Task SendAllAsync()
    {
        (Link link, OutputSender sender) = await _rig.ConnectAsync("n1");
        await SendAsync("n1", 0, link, sender, _rig.Output("a.dll", "first"));
        await SendAsync("n1", 1, link, sender);
    }

    private async Task SendAsync(string node, int project, Link link, OutputSender sender, params OutputItem[] files)
    {
        _rig.Collection.Begin(node, _rig.Projects[project]);
        await CollectRig.SendAsync(sender, link, project, files).Within("the outputs");
    }

    private void ExpectNothing() =>
        Assert.That(Directory.Exists(_rig.Target) || File.Exists(_rig.Target), Is.False, "nothing is published");
}
