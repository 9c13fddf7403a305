using System;
using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;

namespace Transport.Journal.Tests.Spill;

/// <summary>What a lane has given to its links, and what stays in memory until it is acknowledged.</summary>
internal sealed class SpillLedgerTests
{
    private const int Limit = 64 << 10;

    private static readonly Guid Journal = new("00112233-4455-6677-8899-aabbccddeeff");

    private readonly ArrayWriter _head = new();
    private SegmentPool _pool = null!;
    private SpillLedger _ledger = null!;
    private object _link = null!;

    [SetUp]
    public void Begin() => MakeLedger(Limit);

    [Test]
    public void The_budget_is_free_when_the_peer_has_acknowledged()
    {
        int sent = 0;
        while (_ledger.TryAdd(Direct(sent + 1), Packet(sent + 1, 1000)))
        {
            _ledger.MarkSent(Direct(++sent), ordinal: sent);
        }

        Assert.That(sent, Is.InRange(Limit / 1100 * 3 / 4, Limit / 1000));
        Assert.That(_ledger.MemoryBytes, Is.InRange(Limit - 4096, Limit));
        Assert.That(_ledger.Acknowledge(_link, sent / 2).Number, Is.EqualTo(Direct(sent / 2)));
        Assert.That(_ledger.TryAdd(Direct(sent + 1), Packet(sent + 1, 1000)), Is.True, "what is acknowledged is free");
        _ledger.RemoveLast();
        Assert.That(_ledger.MemoryBytes, Is.InRange(1, Limit * 2 / 3));
        SpillProgress all = _ledger.Acknowledge(_link, sent);
        Assert.That(all, Is.EqualTo(new SpillProgress(Direct(sent), IsSettled: true)));
        Assert.That((_ledger.MemoryBytes, _pool.Out), Is.EqualTo((0L, 0L)));
    }

    [Test]
    public void One_packet_is_taken_whatever_its_size()
    {
        SendDirectly(1, 1, 1 << 20);
        SendDirectly(2, 2, 1);   // there is capacity behind it in its own block
        Assert.That(_ledger.TryAdd(Direct(3), Packet(3, 1 << 20)), Is.False);
        _ledger.Acknowledge(_link, 2);
        Assert.That(_ledger.TryAdd(Direct(3), Packet(3, 1 << 20)), Is.True);
    }

    [TestCase(3000, 3000)]
    [TestCase(3000, 100)]
    [TestCase(100, 3000)]
    public void What_is_being_sent_stays_although_everything_else_is_acknowledged_meanwhile(int first, int second)
    {
        SendDirectly(1, ordinal: 1, first);
        Assert.That(_ledger.TryAdd(Direct(2), Packet(2, second)), Is.True);
        _ledger.Acknowledge(_link, 1);
        _ledger.Acknowledge(_link, 2);   // faster than its sender
        Assert.That(_ledger.LastInMemory, Is.EqualTo(Direct(2)));
        _ledger.RemoveLast();
        Assert.That((_ledger.LastInMemory, _ledger.MemoryBytes, _pool.Out), Is.EqualTo((Direct(1), 0L, 0L)), "the link did not take it");
        Assert.That(_ledger.TryAdd(Direct(3), Packet(3, second)), Is.True);
        Assert.That(_ledger.MarkSent(Direct(3), ordinal: 2), Is.EqualTo(new SpillProgress(Direct(3), IsSettled: true)));
        SendDirectly(4, ordinal: 3, second);
        Assert.That(_ledger.Detach().Select(p => p.Number), Is.EqualTo(new[] { Direct(4) }));
        _link = _ledger.Attach();
        _ledger.TryPeek(out SpillNumber number, out _);
        _ledger.MarkSent(number, ordinal: 1);
        Assert.That(_ledger.Acknowledge(_link, 1).IsSettled, Is.True);
        Assert.That((_ledger.MemoryBytes, _pool.Out), Is.EqualTo((0L, 0L)));
    }

    [Test]
    public void An_Ack_that_comes_before_its_packet_was_noted_counts()
    {
        Assert.That(_ledger.Acknowledge(_link, 3).IsNews, Is.False);
        Assert.That(SendDirectly(1, ordinal: 1, length: 100), Is.EqualTo(new SpillProgress(Direct(1), IsSettled: true)));
        Assert.That(_ledger.AddSpilled(5, ordinal: 3), Is.EqualTo(new SpillProgress(SpillNumber.At(5), IsSettled: true)));
        Assert.That(_ledger.AddSpilled(6, ordinal: 4).IsNews, Is.False);
        Assert.That((_ledger.Acknowledged, _ledger.MemoryBytes), Is.EqualTo((SpillNumber.At(5), 0L)));
    }

    /// <summary>Requests and answers travel in the same lanes.</summary>
    [Test]
    public void What_others_send_in_between_is_not_counted_as_its_own()
    {
        for (int i = 1; i <= 100; i++)
        {
            SendDirectly(i, ordinal: (3 * i) - 1, length: 10);   // one of others before each, and one behind
        }

        for (int packets = 1; packets <= 300; packets++)
        {
            _ledger.Acknowledge(_link, packets);
            int own = (packets + 1) / 3;
            Assert.That(_ledger.Acknowledged, Is.EqualTo(own == 0 ? default : Direct(own)));
            Assert.That(_ledger.Detach().Select(p => p.Number), Is.EqualTo(Enumerable.Range(own + 1, 100 - own).Select(i => Direct(i))));
            Reattach(own);
        }

        void Reattach(int own)
        {
            _link = _ledger.Attach();
            for (int i = own + 1; i <= 100; i++)
            {
                Assert.That(_ledger.TryPeek(out SpillNumber number, out _), Is.True);
                _ledger.MarkSent(number, (3 * i) - 1);
            }
        }
    }

    [Test]
    public void What_is_not_acknowledged_when_the_link_ends_comes_again_whole_and_in_order()
    {
        MakeLedger(1 << 20);
        var dice = new Random(11);
        var lengths = new List<int>();
        for (int i = 1; i <= 300; i++)
        {
            lengths.Add(dice.Next(10) == 0 ? dice.Next(20_000) : dice.Next(1, 300));
            SendDirectly(i, i, lengths[i - 1]);
        }

        for (int i = 301; i <= 310; i++)
        {
            lengths.Add(50);
            _ledger.TryAdd(Direct(i), Packet(i, 50));   // waits in memory
        }

        Assert.That(_ledger.HasUnsent, Is.True);
        _ledger.Acknowledge(_link, 200);
        object old = _link;
        Assert.That(_ledger.Detach(), Has.Count.EqualTo(110));
        Assert.That(_ledger.Acknowledge(old, 300).IsNews, Is.False, "the old link is over");
        _link = _ledger.Attach();
        Assert.That(_ledger.Acknowledge(old, 300).IsNews, Is.False);
        for (int i = 201; i <= 310; i++)
        {
            Assert.That(_ledger.TryPeek(out SpillNumber number, out ReadOnlyMemory<byte> packet), Is.True);
            Assert.That(number, Is.EqualTo(Direct(i)));
            SpillPacket.Read(packet.Span, out _, out _, out _, out int at, out int length);
            Assert.That(length, Is.EqualTo(lengths[i - 1]));
            Assert.That(packet.Slice(at).ToArray(), Is.All.EqualTo((byte)i));
            Assert.That(_ledger.MarkSent(number, i - 200).IsNews, Is.False);
        }

        Assert.That(_ledger.HasUnsent, Is.False);
        Assert.That(_ledger.Acknowledge(_link, 110), Is.EqualTo(new SpillProgress(Direct(310), IsSettled: true)));
        Assert.That((_ledger.MemoryBytes, _pool.Out), Is.EqualTo((0L, 0L)));
    }

    /// <summary>Of thousands of packets under way little is kept but their bytes: numbers and ordinals go by runs.</summary>
    [Test]
    public void Any_part_of_what_was_sent_from_journal_and_memory_can_be_acknowledged()
    {
        var sent = new SentNumbers();
        var numbers = new List<SpillNumber>();
        var dice = new Random(3);
        long position = 0, index = 0, ordinal = 0;
        var ordinals = new List<long>();
        for (int i = 0; i < 5000; i++)
        {
            bool spilled = dice.Next(3) > 0;
            position += spilled ? dice.Next(20) == 0 ? 3 : 1 : 0;
            numbers.Add(spilled ? SpillNumber.At(position) : new SpillNumber(position, 1, ++index));
            ordinal += dice.Next(20) == 0 ? 2 : 1;
            ordinals.Add(ordinal);
        }

        int added = 0, acknowledged = 0;
        while (acknowledged < numbers.Count)
        {
            for (int more = dice.Next(100); more > 0 && added < numbers.Count; more--, added++)
            {
                sent.Add(numbers[added], ordinals[added]);
            }

            acknowledged = Math.Min(added, acknowledged + dice.Next(100));
            if (acknowledged > 0)
            {
                sent.Acknowledge(ordinals[acknowledged - 1]);
                Assert.That(sent.Acknowledged, Is.EqualTo(numbers[acknowledged - 1]));
                Assert.That(sent.IsSettled, Is.EqualTo(acknowledged == added));
            }
        }
    }

    private void MakeLedger(long limit)
    {
        var findings = new SpillFindings();
        findings.Settle();
        _pool = new ShelfPool(limit);
        _ledger = new SpillLedger(_pool, limit, findings);
        _link = _ledger.Attach();
    }

    private static SpillNumber Direct(int index) => new(0, 1, index);

    private SpillProgress SendDirectly(int index, long ordinal, int length)
    {
        Assert.That(_ledger.TryAdd(Direct(index), Packet(index, length)), Is.True);
        return _ledger.MarkSent(Direct(index), ordinal);
    }

    private byte[] Packet(int index, int length)
    {
        byte[] bytes = new byte[SpillPacket.MostHead + length];
        bytes.AsSpan(SpillPacket.MostHead).Fill((byte)index);
        int at = SpillPacket.PutHead(bytes, SpillPacket.MostHead, length, _head, Journal, Direct(index), 1024);
        return bytes.AsSpan(at).ToArray();
    }
}
