using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using NUnit.Framework;
using Transport.Tests.Architecture;

namespace Transport.Tests.Session;

/// <summary>The session's table: equal to the page, and valid in every state that any order of events can reach.</summary>
internal sealed class LinkSessionTests
{
    private const LinkActions Writes = LinkActions.SendGoodbye | LinkActions.SendAnswer | LinkActions.SendFarewell
        | LinkActions.ShutdownSend;

    private static readonly LinkPhase[] Phases = [.. Enum.GetValues(typeof(LinkPhase)).Cast<LinkPhase>()];
    private static readonly LinkEvent[] Events = [.. Enum.GetValues(typeof(LinkEvent)).Cast<LinkEvent>()];

    [Test]
    public void The_code_has_the_rows_of_the_page_and_no_others([Values] bool hasTail, [Values] bool isAcknowledged)
    {
        string[] page = [.. Page(hasTail, isAcknowledged).OrderBy(row => row, StringComparer.Ordinal)];
        string[] code =
        [
            .. from phase in Phases
               from e in Events
               let row = LinkSession.Find(phase, e, hasTail, isAcknowledged)
               where row is not null
               let line = Row(phase, e, row.Value)
               orderby line
               select line,
        ];
        Assert.That(code.Except(page, StringComparer.Ordinal), Is.Empty, "in the code alone");
        Assert.That(page.Except(code, StringComparer.Ordinal), Is.Empty, "on the page alone");
        Assert.That(page, Is.Unique);
    }

    /// <summary>Every order of events, followed through every state that it reaches with everything that was done on the way.</summary>
    [TestCase(true)]
    [TestCase(false)]
    public void Whatever_the_order_of_events_the_end_comes_once_with_its_first_cause(bool hasTail)
    {
        var seen = new HashSet<Situation>();
        var queue = new Queue<Situation>([new Situation(LinkPhase.Ready, LinkActions.None, LinkCauseKind.None)]);
        while (queue.Count > 0)
        {
            Situation now = queue.Dequeue();
            if (!seen.Add(now))
            {
                continue;
            }

            foreach ((LinkEvent e, bool isAcknowledged) in Events.SelectMany(e => new[] { (e, true), (e, false) }))
            {
                if (!CanHappen(e, now, isAcknowledged) || LinkSession.Find(now.Phase, e, hasTail, isAcknowledged) is not { } row)
                {
                    continue;
                }

                string step = $"{now.Phase} + {e}{(isAcknowledged ? string.Empty : ", unacknowledged")} -> {row.Next} ({row.Actions})";
                Assert.That(row.Cause == LinkCauseKind.Clean && !isAcknowledged, Is.False, step + ": clean");
                const LinkActions Once = LinkActions.StartReading | LinkActions.StartReadingUnrouted | LinkActions.SealQueue
                    | LinkActions.BreakQueue | LinkActions.SendGoodbye | LinkActions.SendFarewell | LinkActions.ShutdownSend
                    | LinkActions.CutWire | LinkActions.Complete;
                const LinkActions Breaks = LinkActions.BreakQueue | LinkActions.SendFarewell;
                Assert.That(row.Actions & now.Done & Once, Is.EqualTo(LinkActions.None), step + ": done a second time");
                Assert.That((now.Done & Breaks) == 0 || (row.Actions & Writes) == 0, Is.True, step + ": writes on a broken side");
                Assert.That(now.Done.HasFlag(LinkActions.CutWire) && (row.Actions & Writes) != 0, Is.False, step + ": the wire is cut");
                Assert.That(
                    row.Next is < LinkPhase.Failing or LinkPhase.Recovering or LinkPhase.Closed || row.Cause != LinkCauseKind.None
                        || now.Cause != LinkCauseKind.None,
                    Is.True,
                    step + ": ends without a cause");
                Assert.That(row.Cause != LinkCauseKind.None && row.Next < LinkPhase.Failing, Is.False, step + ": goes on with a cause");
                Assert.That(
                    row.Next < LinkPhase.Failing || row.Next == LinkPhase.Closed || ((now.Done | row.Actions) & Breaks) != 0,
                    Is.True,
                    step + ": ends, and sends are still taken");
                Assert.That(
                    row.Next != LinkPhase.Stopping || (now.Done | row.Actions).HasFlag(LinkActions.CutWire),
                    Is.True,
                    step + ": nothing wakes the threads");
                Assert.That(
                    row.Next is LinkPhase.Ready or LinkPhase.ReadyWriteBroken or LinkPhase.Stopping or LinkPhase.Closed
                        || ((now.Done | row.Actions) & (LinkActions.StartReading | LinkActions.StartReadingUnrouted)) != 0,
                    Is.True,
                    step + ": nobody reads");
                LinkCauseKind cause = now.Cause == LinkCauseKind.None ? row.Cause : now.Cause;
                queue.Enqueue(new Situation(row.Next, now.Done | row.Actions, cause));
            }
        }

        TestContext.Out.WriteLine($"{seen.Count} situations");
        Assert.That(seen.Where(s => s.Phase == LinkPhase.Closed).All(s => s.Done.HasFlag(LinkActions.Complete)), Is.True);
        foreach (LinkPhase phase in Phases.Where(p => hasTail || p != LinkPhase.Recovering))
        {
            Assert.That(seen.Any(s => s.Phase == phase), Is.True, $"{phase} is never reached");
        }
    }

    /// <summary>From every state the link ends without the help of its peer: by the limit, the clock, or the end of its threads.</summary>
    [Test]
    public void Every_state_but_an_open_link_ends_by_the_clock_alone([Values] bool hasTail, [Values] bool isAcknowledged)
    {
        LinkEvent[] own = [LinkEvent.Limit, LinkEvent.FarewellWritten, LinkEvent.TailHandled, LinkEvent.ThreadsEnded];
        LinkPhase[] idle = [LinkPhase.Ready, LinkPhase.ReadyWriteBroken, LinkPhase.Open];
        foreach (LinkPhase start in Phases.Except(idle).Where(p => hasTail || p != LinkPhase.Recovering))
        {
            LinkPhase phase = start;
            for (int i = 0; i < 8 && phase != LinkPhase.Closed; i++)
            {
                phase = own.Select(e => LinkSession.Find(phase, e, hasTail, isAcknowledged)?.Next)
                    .FirstOrDefault(next => next is not null && next != phase) ?? phase;
            }

            Assert.That(phase, Is.EqualTo(LinkPhase.Closed), $"from {start}");
        }
    }

    [Test]
    public void The_first_cause_wins()
    {
        var session = new LinkSession();
        session.Take(LinkEvent.Start, TransportFault.None, isAcknowledged: true);
        session.Take(LinkEvent.Fault, TransportFault.FrameCorrupt, isAcknowledged: true);
        session.Take(LinkEvent.Abort, TransportFault.None, isAcknowledged: true);
        session.Take(LinkEvent.ThreadsEnded, TransportFault.None, isAcknowledged: true);
        Assert.That((session.Phase, session.Cause), Is.EqualTo((LinkPhase.Closed, (TransportFault?)TransportFault.FrameCorrupt)));
        Assert.That(session.Take(LinkEvent.Close, TransportFault.None, isAcknowledged: true), Is.EqualTo(LinkActions.None));
    }

    /// <summary>An event that a link in this situation cannot report.</summary>
    private static bool CanHappen(LinkEvent e, Situation now, bool isAcknowledged) => e switch
    {
        LinkEvent.AllAcknowledged => isAcknowledged,
        LinkEvent.GoodbyeWritten => now.Done.HasFlag(LinkActions.SendGoodbye) || now.Done.HasFlag(LinkActions.SendAnswer),
        LinkEvent.AnswerWritten => now.Done.HasFlag(LinkActions.SendAnswer),
        LinkEvent.FarewellWritten => now.Done.HasFlag(LinkActions.SendFarewell),
        LinkEvent.StoreSettled => now.Done.HasFlag(LinkActions.SettleStore) && !now.Done.HasFlag(LinkActions.SendAnswer),
        LinkEvent.Limit => (now.Done & (LinkActions.LimitClose | LinkActions.LimitRead | LinkActions.SendGoodbye)) != 0,
        LinkEvent.TailHandled => (now.Done & (LinkActions.StartReading | LinkActions.StartReadingUnrouted)) != 0,
        LinkEvent.ThreadsEnded => now.Done.HasFlag(LinkActions.CutWire),
        _ => true,
    };

    private static string Row(LinkPhase phase, LinkEvent e, LinkSession.Transition row) =>
        $"{phase} | {e} | {row.Next} | {row.Cause} | {row.Actions}";

    /// <summary>Reads the rows of the page, written out: one line a state and event.</summary>
    private static IEnumerable<string> Page(bool hasTail, bool isAcknowledged)
    {
        string[] lines = File.ReadAllLines(Path.Combine(Sources.Root, "docs", "design", "link-session.md"));
        foreach (string line in lines.SkipWhile(l => l != "## Transitions").Where(l
            => l.StartsWith("| ", StringComparison.Ordinal)).Skip(1))
        {
            string[] cells = [.. line.Trim('|').Split('|').Select(c => c.Trim())];
            string[] where = cells[0].Split(';');
            string[] others = [hasTail ? "no tail" : "tail", isAcknowledged ? "unacknowledged" : "acknowledged"];
            if (where.Length > 1 && others.Contains(where[1].Trim()))
            {
                continue;
            }

            LinkActions actions = cells[4].Split([','], StringSplitOptions.RemoveEmptyEntries).Aggregate(LinkActions.None, (all, one)
                => all | Parse<LinkActions>(one));
            LinkCauseKind cause = cells[3] switch
            {
                "" => LinkCauseKind.None,
                "None" => LinkCauseKind.Clean,
                "the event's" => LinkCauseKind.OfEvent,
                var name => Parse<LinkCauseKind>(name),
            };
            foreach (string phase in where[0].Split(','))
            {
                foreach (string e in cells[1].Split(','))
                {
                    yield return Row(Parse<LinkPhase>(phase), Parse<LinkEvent>(e), new(Parse<LinkPhase>(cells[2]), actions, cause));
                }
            }
        }
    }

    private static T Parse<T>(string name)
        where T : struct, Enum => (T)Enum.Parse(typeof(T), name.Trim());

    /// <summary>A phase, with everything that was done on the way to it.</summary>
    private readonly record struct Situation(LinkPhase Phase, LinkActions Done, LinkCauseKind Cause);
}
