using System;
using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;
using Transport.Testing.Buffers;
using Transport.Testing.Links;
using Transport.Testing.Sending;

namespace Transport.Tests.Sending;

/// <summary>What the control lane owes the peer if nobody writes.</summary>
internal sealed class ControlLaneTests
{
    private readonly AccusingPool _pool = new();
    private SendQueue _queue = null!;

    [SetUp]
    public void Open() => _queue = Queues.Make(_pool, 1 << 20);

    [Test]
    public void A_peer_that_does_not_read_is_reported_the_latest_level_once_it_does([Values] bool closes)
    {
        const int Calls = 10_000;
        for (int i = 1; i <= Calls; i++)
        {
            Assert.That(_queue.Control.SetLevel(new LevelRules((PacketLevel)(i % 5))), Is.True, $"call {i}");
        }

        Assert.That(_queue.Control.SetLevel(new LevelRules(PacketLevel.Critical)), Is.True);
        if (closes)
        {
            _queue.Complete("done");
            Assert.That(_queue.Control.SetLevel(new LevelRules(PacketLevel.Trace)), Is.False, "the link is closing");
        }

        List<RawFrame> frames = Drain();
        List<RawFrame> levels = [.. frames.Where(f => f.Type == RawPeer.SetLevel)];
        Assert.That(levels.Count, Is.LessThan(Calls), "what nobody reads takes no more than the reserve");
        Assert.That(levels[levels.Count - 1].Map["level"], Is.EqualTo((long)PacketLevel.Critical));
        Assert.That(frames[frames.Count - 1].Type, Is.EqualTo(closes ? RawPeer.Goodbye : RawPeer.SetLevel));
        _queue.Break(goodbyeReason: null);
        Drain();
        _pool.Judge("queue's");
    }

    private List<RawFrame> Drain()
    {
        var wire = new List<byte>();
        while (_queue.HasWork())
        {
            if (_queue.Take() is { } segment)
            {
                wire.AddRange(segment.Array.Take(segment.Used));
                _queue.Written(segment, 0);
            }
        }

        _ = _queue.Take();
        return RawFrame.ParseAll([.. wire]);
    }
}
