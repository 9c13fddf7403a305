using System;
using System.Buffers;
using System.Linq;
using Microsoft.Extensions.Logging;
using NUnit.Framework;
using Transport.Logging;
using Transport.Tests.Packets;

namespace Transport.Tests.Logging;

/// <summary>What the formatters refuse, and what they must survive.</summary>
public sealed class LogFormatterTests
{
    private static readonly DateTimeOffset Time = new(2026, 3, 4, 5, 6, 7, TimeSpan.Zero);

    [Test]
    public void Every_cut_of_an_event_is_malformed()
    {
        byte[] whole = LogBytes.Of(LogEvent.PacketType, Event("text", new LogProperty("name", 1.5)));
        for (int length = 0; length < whole.Length; length++)
        {
            LogBytes.FaultOf(LogEvent.PacketType, whole.Take(length).ToArray());
        }

        Assert.That(LogBytes.FaultOf(LogEvent.PacketType, [.. whole, 0xc0]), Does.Contain("1 more bytes"));
    }

    /// <summary>An older reader skips what it does not know at the end; a newer one takes what is missing for no name.</summary>
    [TestCase(null, 8)]
    [TestCase("", 8)]
    [TestCase("BuildStarted", 9)]
    public void An_event_has_a_ninth_element_only_if_its_id_has_a_name(string? name, int elements)
    {
        var named = new LogEvent
        {
            Time = Time, Level = LogLevel.Information, Category = "c", Message = "m", EventId = 7, EventName = name,
        };
        byte[] body = LogBytes.Of(LogEvent.PacketType, named);
        byte[] plain = LogBytes.Of(LogEvent.PacketType, new LogEvent
        {
            Time = Time, Level = LogLevel.Information, Category = "c", Message = "m", EventId = 7,
        });
        Assert.That(body[0], Is.EqualTo(0x90 | elements));
        Assert.That(body.Skip(1).Take(plain.Length - 1), Is.EqualTo(plain.Skip(1)), "the first eight are as they were");
        Assert.That(LogBytes.Read(LogEvent.PacketType, body).EventName, Is.EqualTo(elements == 9 ? name : null));
    }

    [Test]
    public void A_ninth_element_may_be_nil_or_empty_and_must_not_be_another_kind()
    {
        byte[] plain = LogBytes.Of(LogEvent.PacketType, Event("m"));
        Assert.That(LogBytes.Read(LogEvent.PacketType, [0x99, .. plain.Skip(1), 0xc0]).EventName, Is.Null);
        Assert.That(LogBytes.Read(LogEvent.PacketType, [0x99, .. plain.Skip(1), 0xa0]).EventName, Is.Null);
        LogBytes.FaultOf(LogEvent.PacketType, [0x99, .. plain.Skip(1), 0x05]);
    }

    [TestCase(6)]
    [TestCase(-1)]
    public void A_level_that_is_none_is_malformed(int level) =>
        Assert.That(
            LogBytes.FaultOf(
                LogEvent.PacketType, EventBody((ref PacketWriter w) => w.WriteInt(level), (ref PacketWriter w) => w.WriteNil())),
            Does.Contain("level from 0 to 5").And.Contain($"got {level}"));

    [TestCase(1)]
    [TestCase(2)]
    public void A_table_reference_that_no_capability_allows_is_malformed(int type)
    {
        WriteCall reference = (ref PacketWriter w) => w.WriteExt((sbyte)type, [5]);
        WriteCall level = (ref PacketWriter w) => w.WriteInt(1);
        LogBytes.FaultOf(LogEvent.PacketType, EventBody(level, reference));
        string fault = LogBytes.FaultOf(LogEvent.PacketType, EventBody(level, (ref PacketWriter w) =>
        {
            w.WriteMapHeader(1);
            w.WriteString("nested");
            w.WriteArrayHeader(1);
            reference(ref w);
        }));
        Assert.That(fault, Does.Contain($"extension {type}"));
    }

    [Test]
    public void A_map_that_claims_four_billion_properties_is_malformed() =>
        LogBytes.FaultOf(LogEvent.PacketType,
            EventBody((ref PacketWriter w) => w.WriteInt(1), (ref PacketWriter w) => w.WriteRaw([0xdf, 0xff, 0xff, 0xff, 0xff])));

    [Test]
    public void A_property_nested_too_deep_is_malformed() =>
        LogBytes.FaultOf(LogEvent.PacketType, EventBody((ref PacketWriter w) => w.WriteInt(1), (ref PacketWriter w) =>
        {
            w.WriteMapHeader(1);
            w.WriteString("deep");
            w.WriteRaw(Enumerable.Repeat((byte)0x91, 60_000).ToArray());
            w.WriteNil();
        }));

    [Test]
    public void A_stream_that_is_none_is_malformed()
    {
        byte[] body = LogBytes.Of(OutputPacket.PacketType, new OutputPacket { Time = Time, Stream = (OutputStream)3, Text = "x" });
        Assert.That(LogBytes.FaultOf(OutputPacket.PacketType, body), Does.Contain("stdout"));
    }

    [Test]
    public void Thousands_of_properties_come_back_in_order()
    {
        LogProperty[] properties = Enumerable.Range(0, 5000).Select(i => new LogProperty("p" + i, (long)i)).ToArray();
        LogEvent e = LogBytes.Read(LogEvent.PacketType, LogBytes.Of(LogEvent.PacketType, Event("m", properties), pieceSize: 64));
        Assert.That(e.Properties, Is.EqualTo(properties));
    }

    [Test]
    public void Packet_levels_have_the_names_and_numbers_of_log_levels()
    {
        PacketLevel[] all = (PacketLevel[])Enum.GetValues(typeof(PacketLevel));
        Assert.That(all.Select(level => (LogLevel)level), Is.EqualTo(Enum.GetValues(typeof(LogLevel))));
        Assert.That(all.Select(level => level.ToString()), Is.EqualTo(Enum.GetNames(typeof(LogLevel))));
    }

    [Test]
    public void Levels_of_events_are_Trace_to_Critical()
    {
        Assert.That(() => new LogEvent
        {
            Time = Time, Level = LogLevel.None, Category = "c", Message = "m",
        }, Throws.TypeOf<ArgumentOutOfRangeException>());
        Assert.That(LogEvent.PacketType.Level!(Event("m")), Is.EqualTo(PacketLevel.Information));
    }

    [Test]
    public void Writing_and_reading_allocate_nothing_but_the_packet()
    {
        Func<long>? allocated = AllocatedBytes();
        if (allocated is null)
        {
            Assert.Ignore("This runtime does not report what a thread has allocated.");
        }

        LogEvent e = Event("a message of usual length", new LogProperty("n", 12L), new LogProperty("d", 0.5), new LogProperty("b", true));
        var output = new OneBuffer();
        LogEvent.PacketType.Formatter.Write(output, e);
        long before = allocated!();
        for (int i = 0; i < 1000; i++)
        {
            output.Clear();
            LogEvent.PacketType.Formatter.Write(output, e);
        }

        Assert.That(allocated() - before, Is.LessThan(1000), "writing 1,000 events");

        var body = new ReadOnlySequence<byte>(LogBytes.Of(LogEvent.PacketType, e));
        _ = (LogEvent.PacketType.Formatter.Read(body), Copy(e));
        before = allocated();
        for (int i = 0; i < 1000; i++)
        {
            Copy(e);
        }

        long byHand = allocated() - before;
        before = allocated();
        for (int i = 0; i < 1000; i++)
        {
            LogEvent.PacketType.Formatter.Read(body);
        }

        Assert.That(allocated() - before, Is.LessThan(byHand + 1000),
            $"reading 1,000 events; the same objects made by hand take {byHand} bytes");
    }

    private static LogEvent Copy(LogEvent e)
    {
        static string Again(string text) => new('x', text.Length);
        return new LogEvent
        {
            Time = e.Time, Level = e.Level, Category = Again(e.Category), Message = Again(e.Message),
            Properties = new LogProperty[] { new(Again("n"), 12L), new(Again("d"), 0.5), new(Again("b"), true) },
        };
    }

    // The old reference assemblies lack it, the runtimes have it.
    private static Func<long>? AllocatedBytes() =>
        (Func<long>?)typeof(GC).GetMethod("GetAllocatedBytesForCurrentThread")?.CreateDelegate(typeof(Func<long>));

    private static LogEvent Event(string message, params LogProperty[] properties) =>
        new() { Time = Time, Level = LogLevel.Information, Category = "c", Message = message, Properties = properties };

    private static byte[] EventBody(WriteCall level, WriteCall properties) => Packed.By((ref PacketWriter w) =>
    {
        w.WriteArrayHeader(8);
        w.WriteTimestamp(Time);
        level(ref w);
        w.WriteString("c");
        w.WriteInt(0);
        w.WriteString("m");
        w.WriteNil();
        properties(ref w);
        w.WriteNil();
    });

    private sealed class OneBuffer : IBufferWriter<byte>
    {
        private readonly byte[] _bytes = new byte[4096];
        private int _used;

        public void Clear() => _used = 0;

        public void Advance(int count) => _used += count;

        public Memory<byte> GetMemory(int sizeHint = 0) => _bytes.AsMemory(_used);

        public Span<byte> GetSpan(int sizeHint = 0) => _bytes.AsSpan(_used);
    }
}
