using System;
using System.Buffers;

namespace Transport;

/// <summary>Writes the bodies of the control packets of an open link: MessagePack maps with string keys.</summary>
internal static class ControlBody
{
    public static void WriteAck(IBufferWriter<byte> output, long packets)
    {
        var writer = new MessagePackWriter(output);
        writer.WriteMapHeader(1);
        writer.WriteUtf8("packets"u8);
        writer.WriteInt(packets);
        writer.Flush();
    }

    /// <summary>Writes Goodbye.</summary>
    /// <param name="output">The output.</param>
    /// <param name="packets">The packets sent in this direction.</param>
    /// <param name="reason">A fault's name, or any other text for a clean end.</param>
    /// <param name="refused">The packets that found no room and were not sent; 0 is left out.</param>
    /// <param name="detail">The text about the fault; an empty one is left out.</param>
    public static void WriteGoodbye(IBufferWriter<byte> output, long packets, string reason, long refused, string detail)
    {
        var writer = new MessagePackWriter(output);
        writer.WriteMapHeader(2 + (refused > 0 ? 1 : 0) + (detail.Length > 0 ? 1 : 0));
        writer.WriteUtf8("packets"u8);
        writer.WriteInt(packets);
        writer.WriteUtf8("reason"u8);
        writer.WriteString(reason);
        if (refused > 0)
        {
            writer.WriteUtf8("refused"u8);
            writer.WriteInt(refused);
        }

        if (detail.Length > 0)
        {
            writer.WriteUtf8("detail"u8);
            writer.WriteString(detail);
        }

        writer.Flush();
    }

    /// <summary>Writes Ping or Pong.</summary>
    public static void WritePing(IBufferWriter<byte> output, long id, long queuedBytes)
    {
        var writer = new MessagePackWriter(output);
        writer.WriteMapHeader(2);
        writer.WriteUtf8("id"u8);
        writer.WriteInt(id);
        writer.WriteUtf8("queuedBytes"u8);
        writer.WriteInt(queuedBytes);
        writer.Flush();
    }

    public static void WriteSetLevel(IBufferWriter<byte> output, int level)
    {
        var writer = new MessagePackWriter(output);
        writer.WriteMapHeader(1);
        writer.WriteUtf8("level"u8);
        writer.WriteInt(level);
        writer.Flush();
    }

    /// <summary>Writes Dropped.</summary>
    /// <param name="output">Where to.</param>
    /// <param name="lane">The lane that dropped.</param>
    /// <param name="bytes">The bytes dropped, as far as known.</param>
    /// <param name="byLevel">Packets by level, the index being the level.</param>
    public static void WriteDropped(IBufferWriter<byte> output, Lane lane, long bytes, ReadOnlySpan<long> byLevel)
    {
        long packets = 0;
        int levels = 0;
        foreach (long count in byLevel)
        {
            packets += count;
            levels += count > 0 ? 1 : 0;
        }

        var writer = new MessagePackWriter(output);
        writer.WriteMapHeader(4);
        writer.WriteUtf8("lane"u8);
        writer.WriteInt((int)lane);
        writer.WriteUtf8("packets"u8);
        writer.WriteInt(packets);
        writer.WriteUtf8("bytes"u8);
        writer.WriteInt(bytes);
        writer.WriteUtf8("byLevel"u8);
        writer.WriteMapHeader(levels);
        for (int level = 0; level < byLevel.Length; level++)
        {
            if (byLevel[level] > 0)
            {
                writer.WriteInt(level);
                writer.WriteInt(byLevel[level]);
            }
        }

        writer.Flush();
    }
}
