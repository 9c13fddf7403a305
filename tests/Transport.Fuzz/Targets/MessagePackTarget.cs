using System;
using System.Collections.Generic;
using Transport.Fuzz.Inputs;

namespace Transport.Fuzz.Targets;

/// <summary>The MessagePack reader: any call in any order; whole values read one by one, passed over and checked, which must agree; and
/// written again.</summary>
internal sealed class MessagePackTarget : FuzzTarget
{
    private static readonly TransportFault[] Allowed = [TransportFault.PacketMalformed];

    public override string Name => "messagepack";

    public override int Share => 200;

    public override IEnumerable<byte[]> Seeds()
    {
        yield return Golden.File("values.bin");
        yield return Golden.Body("logevent.bin");
        yield return Golden.Body("hello.bin");
        foreach (byte[] line in Golden.Of(Name))
        {
            yield return line;
        }

        var random = new Prng(1);
        for (int i = 0; i < 40; i++)
        {
            var value = new List<byte>();
            Tokens.Value(value, random, depth: 5);
            yield return [.. value];
        }
    }

    public override ulong Run(byte[] input)
    {
        Allocation allocation = Allocation.Begin();
        ulong calls = ReaderCalls.Run(input);
        allocation.Check(input.Length, "calls of the reader");
        return calls ^ CompareWays(input);
    }

    private static ulong CompareWays(byte[] input)
    {
        Allocation allocation = Allocation.Begin();
        TransportException? check = Faults.Of(Allowed, () => MessagePackValue.Check(input));
        byte[] first = [];
        TransportException? read = Faults.Of(Allowed, () => first = Transcript.Of(input));
        allocation.Check(input.Length * 4L, "reading a value and writing it");
        bool isText = read?.Message.Contains("UTF-8") == true;
        FuzzFailure.Unless((check is null) == (read is null) || isText,
            $"checked: {check?.Message ?? "valid"}; read: {read?.Message ?? "valid"}");
        if (read is null)
        {
            byte[] again = Transcript.Of(first);
            FuzzFailure.Unless(first.AsSpan().SequenceEqual(again), "a value that was read and written reads as another");
        }

        return (Faults.Print(check) * 31) ^ Faults.Print(read);
    }
}
