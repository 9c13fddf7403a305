using Transport.Fuzz.Inputs;

namespace Transport.Fuzz.Targets;

/// <summary>Calls of the reader in an order that the input decides. A call that fails leaves the reader where it was.</summary>
internal static class ReaderCalls
{
    private const int Kinds = 29;
    private const int Most = 24;

    public static ulong Run(byte[] input)
    {
        Prng random = Prng.Of(input);
        var reader = new PacketReader(input);
        Fingerprint print = default;
        for (int i = 0; i < Most && !reader.AtEnd; i++)
        {
            int call = random.Below(Kinds);
            int at = reader.Consumed;
            try
            {
                Call(ref reader, call);
                FuzzFailure.Unless(reader.Consumed >= at && reader.Consumed <= input.Length
                    && reader.Remaining == input.Length - reader.Consumed,
                    $"call {call} at byte {at}: the reader stands at {reader.Consumed}");
                print.Add(call + ((long)MessagePackCode.KindOf(input[at]) << 8));
            }
            catch (TransportException fault)
            {
                FuzzFailure.Unless(fault.Fault == TransportFault.PacketMalformed, $"call {call} at byte {at}: {fault.Fault}");
                FuzzFailure.Unless(reader.Consumed == at, $"call {call} failed at byte {at} and left the reader at {reader.Consumed}");
                print.Add((long)Fingerprint.OfShape(fault.Message));
                reader.TryReadNil();
                i += 2;   // exceptions are what takes the time
            }
        }

        return print.Value % 256;   // only roughly: the order alone is nothing new
    }

    private static void Call(ref PacketReader reader, int call)
    {
        _ = call switch
        {
            0 => reader.ReadInt64(),
            1 => reader.ReadInt32(),
            2 => reader.ReadUInt32(),
            3 => reader.ReadUInt16(),
            4 => (long)reader.ReadUInt64(),
            5 => reader.ReadByte(),
            6 => reader.ReadSByte(),
            7 => reader.ReadInt16(),
            8 => (long)reader.ReadDouble() == 0 ? 1 : 2,
            9 => reader.ReadSingle() > 0 ? 1 : 2,
            10 => reader.ReadTimestamp().Ticks,
            11 => reader.ReadDateTime().Ticks,
            12 => reader.ReadTimeSpan().Ticks,
            13 => reader.ReadGuid().GetHashCode(),
            14 => reader.ReadDecimal() > 0 ? 1 : 2,
            15 => reader.ReadString()?.Length ?? 0,
            16 => reader.ReadRequiredString().Length,
            17 => reader.ReadUtf8().Length,
            18 => reader.ReadBin().Length,
            19 => reader.ReadExt(out sbyte type).Length + type,
            20 => reader.ReadArrayHeader(),
            21 => reader.ReadArrayHeader(2),
            22 => reader.ReadMapHeader(),
            23 => reader.TryReadArrayHeader(out int items) ? items : -1,
            24 => reader.TryReadMapHeader(out int pairs) ? pairs : -1,
            25 => reader.ReadBoolean() ? 1 : 0,
            26 => (long)reader.PeekKind(),
            27 => reader.ReadRaw().Length,
            _ => Skip(ref reader),
        };
    }

    private static long Skip(ref PacketReader reader)
    {
        reader.Skip(2);
        return 0;
    }
}
