using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;

namespace Transport;

/// <summary>Writes the bodies of the control packets of an open link.</summary>
internal static class ControlBody
{
    /// <summary>Writes Ack.</summary>
    /// <param name="output">The output.</param>
    /// <param name="packets">The packets handled so far.</param>
    /// <param name="misses">Of these, those without a handler and those whose handler threw; 0 is left out.</param>
    public static void WriteAck(IBufferWriter<byte> output, long packets, HandlerMisses misses)
    {
        var writer = new FieldWriter(output, 1 + (misses.Unhandled > 0 ? 1 : 0) + (misses.Failed > 0 ? 1 : 0));
        writer.Number(Field.Packets, packets);
        if (misses.Unhandled > 0)
        {
            writer.Number(Field.Unhandled, misses.Unhandled);
        }

        if (misses.Failed > 0)
        {
            writer.Number(Field.Failed, misses.Failed);
        }

        writer.Flush();
    }

    /// <summary>Writes Goodbye.</summary>
    /// <param name="output">The output.</param>
    /// <param name="packets">The packets sent in this direction.</param>
    /// <param name="reason">A fault's name, or any other text for a clean end.</param>
    /// <param name="refused">The packets that found no capacity and were not sent; 0 is left out.</param>
    /// <param name="detail">The text about the fault; an empty one is left out.</param>
    public static void WriteGoodbye(IBufferWriter<byte> output, long packets, string reason, long refused, string detail)
    {
        var writer = new FieldWriter(output, 2 + (refused > 0 ? 1 : 0) + (detail.Length > 0 ? 1 : 0));
        writer.Number(Field.Packets, packets);
        writer.Text(Field.Reason, reason);
        if (refused > 0)
        {
            writer.Number(Field.Refused, refused);
        }

        if (detail.Length > 0)
        {
            writer.Text(Field.Detail, detail);
        }

        writer.Flush();
    }

    /// <summary>Writes Ping or Pong.</summary>
    public static void WritePing(IBufferWriter<byte> output, long id, long queuedBytes)
    {
        var writer = new FieldWriter(output, 2);
        writer.Number(Field.Id, id);
        writer.Number(Field.QueuedBytes, queuedBytes);
        writer.Flush();
    }

    /// <summary>Writes SetLevel. Who knows no categories sends from the least level of all.</summary>
    public static void WriteSetLevel(IBufferWriter<byte> output, LevelRules rules)
    {
        bool has = rules.Categories.Count > 0;
        var writer = new FieldWriter(output, has ? 2 : 1);
        writer.Number(Field.Level, (long)rules.Least);
        if (has)
        {
            KeyValuePair<string, PacketLevel> others = new(string.Empty, rules.Default);
            writer.Levels(Field.Categories, rules.Categories.Append(others), rules.Categories.Count + 1);
        }

        writer.Flush();
    }

    public static void WriteStop(IBufferWriter<byte> output, string reason)
    {
        var writer = new FieldWriter(output, 1);
        writer.Text(Field.Reason, reason);
        writer.Flush();
    }

    /// <summary>Writes Dropped.</summary>
    /// <param name="output">Takes the bytes.</param>
    /// <param name="lane">The lane that dropped.</param>
    /// <param name="bytes">The bytes dropped, as far as known.</param>
    /// <param name="byLevel">Packets by level, the index being the level.</param>
    public static void WriteDropped(IBufferWriter<byte> output, Lane lane, long bytes, ReadOnlySpan<long> byLevel)
    {
        long packets = 0;
        foreach (long count in byLevel)
        {
            packets += count;
        }

        var writer = new FieldWriter(output, 4);
        writer.Number(Field.Lane, (int)lane);
        writer.Number(Field.Packets, packets);
        writer.Number(Field.Bytes, bytes);
        writer.Counts(Field.ByLevel, byLevel);
        writer.Flush();
    }
}

/// <summary>Packets that count as handled for their sender, and were not.</summary>
/// <param name="Unhandled">Those without a handler.</param>
/// <param name="Failed">Those whose handler threw.</param>
internal readonly record struct HandlerMisses(long Unhandled, long Failed);
