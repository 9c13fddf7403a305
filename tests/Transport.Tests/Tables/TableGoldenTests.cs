using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Microsoft.Extensions.Logging;
using NUnit.Framework;
using Transport.Logging;
using Transport.Testing.Links;
using Transport.Tests.Packets;

namespace Transport.Tests.Tables;

/// <summary>Tables and references against bytes that python3-msgpack wrote.</summary>
internal sealed class TableGoldenTests
{
    private static readonly LogEvent Event = new()
    {
        Time = new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero).AddTicks(1_234_567),
        Level = LogLevel.Information,
        Category = "Compiler",
        Message = "one warning",
        Properties = [new("file", "src/a.cs"), new("line", 12L)],
    };

    private static readonly Words Packet = new(["Compiler"], Words.OfMap(("file", "src/a.cs"), ("line", "twelve")).Maps, []);

    private static byte[] Golden => File.ReadAllBytes(SourceTree.Find(Path.Combine("golden", "tables.bin")));

    [Test]
    public void We_write_what_another_implementation_wrote()
    {
        var pool = new ShelfPool(1 << 20);
        var segments = new LaneSegments(pool);
        var writer = new FrameWriter(pool, Lane.Normal, segments, new DropLedger(Lane.Normal),
            new PacketTables(Lane.Normal, new TableCaps(true, true, true), maxBytes: 1 << 20, maxPacket: 16 << 20));
        Write(writer, LogEvent.PacketType, Event);
        Write(writer, LogEvent.PacketType, Event);
        Write(writer, Words.Type, Packet);
        Write(writer, Words.Type, Packet);
        Assert.That(segments.HasFull, Is.False, "one segment suffices");
        Segment all = segments.TakeOpen()!;
        Assert.That(Packed.Hex(all.Array.AsSpan(0, all.Used).ToArray()), Is.EqualTo(Packed.Hex(Golden)));
        Assert.That(all.PacketsEnding, Is.EqualTo(8));
    }

    [Test]
    public void We_read_what_another_implementation_wrote()
    {
        var tables = new LaneTables(new TableCaps(true, true, true), 1 << 20);
        var events = new List<LogEvent>();
        var words = new List<string>();
        foreach (RawFrame frame in RawFrame.ParseAll(Golden))
        {
            RawPacket packet = tables.Checked(new RawPacket((ushort)frame.Type, (Lane)frame.Lane, frame.Body));
            if (TableTypes.IsOne(frame.Type))
            {
                tables.Take(packet);
            }
            else if (frame.Type == Words.Type.Id)
            {
                words.Add(packet.Read(Words.Type).Show());
            }
            else
            {
                events.Add(packet.Read(LogEvent.PacketType));
            }
        }

        Assert.That(events.Select(e => (e.Category, e.Message, string.Join(",", e.Properties))),
            Is.All.EqualTo((Event.Category, Event.Message, string.Join(",", Event.Properties))));
        Assert.That(events, Has.Count.EqualTo(2));
        Assert.That(events[1].Category, Is.SameAs(events[0].Category), "one object for all");
        Assert.That(words, Is.EqualTo(new[] { Packet.Show(), Packet.Show() }));
    }

    private static void Write<T>(FrameWriter writer, PacketType<T> type, T packet)
    {
        writer.Begin(type.Id, 1 << 20, type.UsesTables);
        type.Formatter.Write(writer, packet);
        writer.End(packets: 1);
    }
}
