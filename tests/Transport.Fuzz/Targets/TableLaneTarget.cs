using System;
using System.Collections.Generic;
using System.Linq;
using Transport.Fuzz.Inputs;
using Transport.Testing.Links;

namespace Transport.Fuzz.Targets;

/// <summary>Both ends of a lane's tables: whatever is sent, rolled back and thrown away in between, what was sent arrives.</summary>
internal sealed class TableLaneTarget : FuzzTarget
{
    public override string Name => "table-lane";

    public override int Share => 30;

    public override IEnumerable<byte[]> Seeds()
    {
        var random = new Prng(2);
        for (int i = 0; i < 20; i++)
        {
            byte[] plan = new byte[200];
            for (int at = 0; at < plan.Length; at++)
            {
                plan[at] = random.Byte();
            }

            yield return plan;
        }
    }

    public override ulong Run(byte[] input)
    {
        var plan = new Queue<byte>(input);
        int Next() => plan.Count > 0 ? plan.Dequeue() : 0;
        var sent = new List<string>();
        int settings = Next();
        var lane = new TableLane(
            strings: (settings & 3) != 0,
            maps: (settings & 12) != 0,
            maxBytes: (settings & 16) != 0 ? 4 << 10 : 4 << 20,
            types: (settings & 32) != 0);
        for (int steps = 0; steps < 40 && plan.Count > 0; steps++)
        {
            int step = Next();
            string[] texts = [.. Enumerable.Range(0, step & 3).Select(_ => Text(Next()))];
            var maps = Enumerable.Range(0, (step >> 2) & 1).Select(_ =>
                Enumerable.Range(0, Next() & 3).Select(i => new KeyValuePair<string, string>("k" + i, Text(Next()))).ToArray()).ToArray();
            bool full = (step & 0x30) == 0x30;
            var packet = new Words((step & 0xc0) == 0xc0 ? [.. texts, "throw"] : texts, maps, new byte[Next() == 7 ? 300 : 0]);
            try
            {
                lane.Send(packet, full, (step & 4) != 0 ? Words.Application : Words.Type);
                if (!full)
                {
                    sent.Add(packet.Show());
                }
            }
            catch (FormatException)
            {
                // As asked: nothing of it may be left.
            }

            if ((step & 8) != 0)
            {
                lane.Receive();
            }
        }

        lane.Receive();
        FuzzFailure.Unless(sent.SequenceEqual(lane.Came.Select(w => w.Show())),
            $"{sent.Count} packets were sent, {lane.Came.Count} came, or others");
        lane.Dispose();
        return ((ulong)lane.Types.Count << 8) + (ulong)lane.Types.Distinct().Count();
    }

    /// <summary>Few texts that come again, some long, some of other letters.</summary>
    private static string Text(int of) => (of & 0xc0) switch
    {
        0 => "t" + (of & 15),
        0x40 => new string((char)('a' + (of & 7)), of * 3),
        0x80 => "é€" + (char)(0x4e00 + of),
        _ => new string('x', 900 + of),
    };
}
