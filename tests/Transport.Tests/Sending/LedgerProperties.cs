using System;
using System.Collections.Generic;
using System.Linq;
using FsCheck;
using FsCheck.Fluent;
using NUnit.Framework;

namespace Transport.Tests.Sending;

/// <summary>Whatever is sent, written, dropped and cut off, in whatever order: every packet is accounted for.</summary>
internal sealed class LedgerProperties
{
    private static Arbitrary<int[]> Scripts { get; } =
        Arb.From(Gen.Choose(1, 300).SelectMany(length => Gen.Choose(0, int.MaxValue).ArrayOf(length)), Shorter);

    [Promise("Sending", "Every packet offered is queued, refused or dropped; drops are counted exactly, by log level.")]
    [Test]
    public void Offered_is_queued_refused_and_dropped_and_queued_is_sent_and_dropped_later(
        [Values(LanePolicy.Refuse, LanePolicy.Drop)] LanePolicy normal,
        [Values] bool clean)
    {
        ulong seed = (ulong)Guid.NewGuid().GetHashCode();
        TestContext.Out.WriteLine($"seed {seed}");
        Property property = Prop.ForAll(Scripts, script => Holds(script, normal, clean));
        property.Check(Config.QuickThrowOnFailure.WithMaxTest(150).WithReplay(seed, 1));
    }

    /// <summary>A book that no fault can spoil proves nothing: a script long enough fills the queue, and every fate is met.</summary>
    [Test]
    public void The_scripts_meet_every_fate()
    {
        var queue = new QueueScript(LanePolicy.Drop);
        foreach (int number in Enumerable.Range(0, 2_000))
        {
            Assert.That(queue.Play(number), Is.Null);
        }

        Assert.That(queue.End(clean: true), Is.Null);
        Assert.That(queue.Fates, Has.All.GreaterThan(20), "queued, refused, and dropped of each level");
    }

    [Promise("Sending", "A send without memory throws `OutOfMemoryException` and changes nothing else.")]
    [Test]
    public void Every_packet_is_accounted_for_whichever_rent_finds_no_memory(
        [Values(LanePolicy.Refuse, LanePolicy.Drop)] LanePolicy normal,
        [Values] bool clean)
    {
        bool isFailureAhead = false;
        for (int rent = 1; !isFailureAhead; rent++)
        {
            var queue = new QueueScript(normal, rent);
            string? wrong = Enumerable.Range(0, 200).Select(queue.Play).FirstOrDefault(w => w is not null) ?? queue.End(clean);
            Assert.That(wrong, Is.Null, $"rent {rent}");
            isFailureAhead = queue.IsFailureAhead;
        }
    }

    private static bool Holds(int[] script, LanePolicy normal, bool clean)
    {
        var queue = new QueueScript(normal);
        string? wrong = script.Select(queue.Play).FirstOrDefault(w => w is not null) ?? queue.End(clean);
        return wrong is null ? true : throw new InvalidOperationException(wrong);
    }

    private static IEnumerable<int[]> Shorter(int[] script)
    {
        for (int piece = script.Length / 2; piece > 0; piece /= 2)
        {
            for (int at = 0; at + piece <= script.Length; at += piece)
            {
                yield return [.. script.Take(at), .. script.Skip(at + piece)];
            }
        }
    }
}
