using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Microsoft.Extensions.Logging;
using NUnit.Framework;
using Transport.Buffers;
using Transport.Logging;
using Transport.Packets;
using Transport.Packets.Tables;
using Transport.Receiving;
using Transport.Sending;
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

    private static byte[] Golden => File.ReadAllBytes(SourceTree.Find(Path.Combine("golden", "tables.bin")));

    [Test]
    public void WeWriteWhatAnotherImplementationWrote()
    {
        var pool = new SegmentPool(1 << 20);
        var writer = new FrameWriter(pool, Lane.Normal);
        writer.UseTables(strings: true, maps: true, maxBytes: 1 << 20);
        for (int i = 0; i < 3; i++)
        {
            writer.Begin(LogPackets.Event.Id, 1 << 20, _ => Assert.Fail("one segment suffices"));
            LogPackets.Event.Formatter.Write(writer, Event);
            writer.End();
            writer.Commit(_ => Assert.Fail("one segment suffices"), packets: 1);
        }

        Segment all = writer.TakeOpen()!;
        Assert.That(Packed.Hex(all.Array.AsSpan(0, all.Used).ToArray()), Is.EqualTo(Packed.Hex(Golden)));
        Assert.That(all.PacketsEnding, Is.EqualTo(6));
    }

    [Test]
    public void WeReadWhatAnotherImplementationWrote()
    {
        var tables = new LaneTables(strings: true, maps: true, 1 << 20);
        var events = new List<LogEvent>();
        foreach (RawFrame frame in RawFrame.ParseAll(Golden))
        {
            RawPacket packet = tables.Check(new RawPacket((ushort)frame.Type, (Lane)frame.Lane, frame.Body));
            if (TableTypes.IsOne(frame.Type))
            {
                tables.Take(packet);
            }
            else
            {
                events.Add(packet.Read(LogPackets.Event));
            }
        }

        Assert.That(events.Select(e => (e.Category, e.Message, string.Join(",", e.Properties))), Is.All.EqualTo((Event.Category, Event.Message, string.Join(",", Event.Properties))));
        Assert.That(events, Has.Count.EqualTo(3));
        Assert.That(events[2].Category, Is.SameAs(events[0].Category), "one object for all");
    }
}
