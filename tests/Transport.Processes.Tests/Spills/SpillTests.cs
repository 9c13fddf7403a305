using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal;
using Transport.Testing;
using Transport.Testing.Links;
using Transport.Processes.Tests.Kit;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Spills;

/// <summary>A sender in another process whose main node is away, and which is killed meanwhile.</summary>
internal sealed class SpillTests
{
    private const int SecondFirst = 1_000_000_000, SecondCount = 2_000;

    private TestFolder _folder = null!;
    private readonly object _gate = new();
    private readonly List<int> _came = [];
    private readonly List<Link> _links = [];
    private PacketRouter _router = null!;
    private LinkListener? _listener;
    private Timer _giving = null!;

    [SetUp]
    public void Arrange()
    {
        _folder = new TestFolder();
        _came.Clear();
        _router = new SpillReceiver().AddTo(new PacketRouter().On(NumberPacket.Type, Take));
        _giving = new Timer(_ => GiveTicket(), null, 0, 5);
        Arrive();
    }

    [TearDown]
    public async Task CleanUp()
    {
        _giving.Dispose();
        await LeaveAsync();
        _folder.Dispose();
    }

    [Promise("Spill", "Spilled packets survive `kill -9` of their sender.")]
    [Test]
    public async Task What_was_spilled_arrives_after_the_sender_was_killed([Values(TestHost.Net, TestHost.Mono)] string framework)
    {
        var lines = new Lines();
        ChildProcess first = ChildProcess.Start(
            TestHost.StartOn(framework, "spill", _folder.Path, "1", $"{SecondFirst - 1}").With(output: lines.Take));
        Until(() => Count() >= 500, "the first ones come");
        await LeaveAsync();
        await lines.First(l => l.Text == "spilled", "spilled");
        Until(() => InJournal().Count > 2_000, "the disk has some of it");   // what is not written yet is lost with the sender
        first.Kill();
        await first.WaitForExitAsync().Within("the first one's end");
        HashSet<int> kept = InJournal();
        Assert.That(kept, Has.Count.GreaterThan(2_000));

        var more = new Lines();
        ChildProcess second =
            ChildProcess.Start(TestHost.StartOn(framework, "spill", _folder.Path, $"{SecondFirst}", $"{SecondCount}")
                .With(output: more.Take));
        await more.First(l => l.Text.StartsWith("found ", StringComparison.Ordinal), "found");
        Arrive();
        ProcessExit end = await second.WaitForExitAsync().Within("the second one's end");
        Assert.That(end.ShellExitCode, Is.Zero, string.Join("\n", more.All().Select(l => l.Text)));
        int[] came = Came();
        Assert.That(came, Is.Ordered.And.Unique);
        Assert.That(kept.Except(came), Is.Empty, "what was in the journal");
        Assert.That(came.Where(n => n >= SecondFirst), Is.EqualTo(Enumerable.Range(SecondFirst, SecondCount)));
    }

    [Test]
    public async Task A_main_node_that_is_away_for_a_while_loses_nothing([Values(TestHost.Net, TestHost.Mono)] string framework)
    {
        const int All = 20_000;
        var lines = new Lines();
        ChildProcess sender = ChildProcess.Start(
            TestHost.StartOn(framework, "spill", _folder.Path, "1", $"{All}").With(output: lines.Take));
        Until(() => Count() >= 500, "the first ones come");
        await LeaveAsync();
        await lines.First(l => l.Text == "spilled", "spilled");
        Arrive();
        ProcessExit end = await sender.WaitForExitAsync().Within("its end");
        Assert.That(end.ShellExitCode, Is.Zero, string.Join("\n", lines.All().Select(l => l.Text)));
        Assert.That(Came(), Is.EqualTo(Enumerable.Range(1, All)), "all of them, in order, none twice");
    }

    private static void Until(Func<bool> condition, string what) =>
        Assert.That(SpinWait.SpinUntil(condition, WithinExtensions.Bound), Is.True, what);

    private void Take(int number)
    {
        lock (_came)
        {
            _came.Add(number);
        }
    }

    private int Count()
    {
        lock (_came)
        {
            return _came.Count;
        }
    }

    private int[] Came()
    {
        lock (_came)
        {
            return [.. _came];
        }
    }

    /// <summary>The numbers in the journal that the killed sender left: what it spilled, and what it had sent and put there when the link
    /// ended.</summary>
    private HashSet<int> InJournal()
    {
        using JournalReader reader = JournalReader.Open(Path.Combine(_folder.Path, "spill", "normal"), new JournalReaderOptions
        {
            Types = [NumberPacket.Type.Id, SpillPacket.Type],
        });
        var numbers = new HashSet<int>();
        while (reader.TryRead(out JournalRecord record))
        {
            ReadOnlyMemory<byte> body = record.ToArray();
            if (record.Type == SpillPacket.Type)
            {
                SpillPacket.Read(body.Span, out _, out _, out _, out int at, out int length);
                body = body.Slice(at, length);
            }

            numbers.Add(NumberPacket.Type.Formatter.Read(new ReadOnlySequence<byte>(body)));
        }

        return numbers;
    }

    private void Arrive()
    {
        lock (_gate)
        {
            _listener = LinkListener.Start(WireKind.UnixSocket);
        }
    }

    private async Task LeaveAsync()
    {
        LinkListener? listener;
        Link[] links;
        lock (_gate)
        {
            (listener, _listener) = (_listener, null);
            File.Delete(Path.Combine(_folder.Path, "ticket"));
            links = [.. _links];
            _links.Clear();
        }

        foreach (Link link in links)
        {
            link.Abort("the main node is away");
            await link.Completion.Within("the link's end");
        }

        if (listener is not null)
        {
            await listener.DisposeAsync();
        }
    }

    private void GiveTicket()
    {
        lock (_gate)
        {
            string place = Path.Combine(_folder.Path, "ticket");
            if (_listener is not null && !File.Exists(place))
            {
                LinkTicket ticket = _listener.Expect("sender");
                _ = StartAsync(ticket, _listener);
                File.WriteAllText(place + "-new", _listener.Endpoint + "\n" + ticket.Secret.Reveal());
                File.Move(place + "-new", place);
            }
        }
    }

    private async Task StartAsync(LinkTicket ticket, LinkListener listener)
    {
        try
        {
            Link link = await ticket.WaitForLinkAsync();
            lock (_gate)
            {
                if (!ReferenceEquals(listener, _listener))
                {
                    link.Abort("the main node is away");   // it came in just before
                    return;
                }

                _links.Add(link);
            }

            link.Start(_router);
        }
        catch (OperationCanceledException)
        {
            // Nobody came with this one.
        }
    }
}
