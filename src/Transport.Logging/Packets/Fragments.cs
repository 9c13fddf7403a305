using System.Globalization;

namespace Transport.Logging;

/// <summary>What the log packets have in common.</summary>
internal static class Fragments
{
    public static void WriteContext(ref PacketWriter writer, int[]? context)
    {
        if (context is null)
        {
            writer.WriteNil();
            return;
        }

        writer.WriteArrayHeader(context.Length);
        foreach (int number in context)
        {
            writer.WriteInt(number);
        }
    }

    public static int[]? ReadContext(ref PacketReader reader)
    {
        if (!reader.TryReadArrayHeader(out int count))
        {
            return null;
        }

        int[] context = count == 0 ? [] : new int[count];
        for (int i = 0; i < context.Length; i++)
        {
            context[i] = reader.ReadInt32();
        }

        return context;
    }

    /// <summary>Passes over the elements that a later version added; nothing may stand behind the packet.</summary>
    public static void End(ref PacketReader reader, int unknown)
    {
        reader.Skip(unknown);
        if (!reader.AtEnd)
        {
            throw new TransportException(
                TransportFault.PacketMalformed,
                $"At byte {Number(reader.Consumed)} of the body: expected its end, got {Number(reader.Remaining)} more bytes.");
        }
    }

    public static TransportException Wrong(int at, string expected, long actual) => Wrong(at, expected, Number(actual));

    public static TransportException Wrong(int at, string expected, string actual) =>
        new(TransportFault.PacketMalformed, $"At byte {Number(at)} of the body: expected {expected}, got {actual}.");

    public static string Number(long value) => value.ToString(CultureInfo.InvariantCulture);
}
