using System.Buffers;
using System.IO;
using Transport.Fuzz.Inputs;
using Transport.Journal;
using Transport.MSBuild;

namespace Transport.Fuzz.Crafted;

/// <summary>Writes the journal of an input: the bytes of a journal are right, what they say is not.</summary>
internal static class CraftedJournal
{
    private const int MostEvents = 60, MostNested = 30_000;
    private const ushort LogEventId = 256;

    private static readonly JournalNode[] Nodes =
    [
        new("build"), new("build.n2"), new("build.s2"), new("build.s2.n3"), new("build2"), new("build.n"), new("n1"), new("n2"), new("b"),
        new("."),
    ];

    /// <summary>Writes it.</summary>
    /// <param name="folder">The journal's folder, which is not there.</param>
    /// <param name="random">The choices.</param>
    public static void Write(string folder, Prng random)
    {
        int left = random.OneIn(250) ? random.Below(MostNested) : random.Below(MostEvents);
        bool nested = left > MostEvents;
        var options = new JournalOptions { Sync = JournalSync.None, SegmentBytes = nested ? 8 << 20 : 256 << 10, MaxBytes = 64 << 20 };
        var events = new CraftedEvents(random);
        var body = new ArrayBufferWriter<byte>();
        JournalNode node = random.Pick(Nodes);
        using (PacketJournal journal = PacketJournal.Open(folder, options))
        {
            for (; left >= 0; left--)
            {
                node = random.OneIn(10) ? random.Pick(Nodes) : node;
                body.Clear();
                BuildEvent.PacketType.Formatter.Write(body, nested ? events.NextNested() : events.Next());
                byte[] bytes = body.WrittenSpan.ToArray();
                bytes = !nested && random.OneIn(12) ? new Mutator(random).Mutate(bytes, []) : bytes;
                ushort type = random.OneIn(20) ? random.OneIn(2) ? LogEventId : (ushort)random.Below(600) : BuildEvent.PacketType.Id;
                _ = journal.Append(node, type, bytes);
            }
        }

        if (random.OneIn(10))
        {
            Spoil(Path.Combine(folder, "0000000001.segment"), random);
        }
    }

    /// <summary>Changes the bytes of the file itself now and then: what is read then is cut, damaged, or not closed.</summary>
    private static void Spoil(string file, Prng random)
    {
        using FileStream segment = File.Open(file, FileMode.Open);
        if (random.OneIn(2))
        {
            segment.SetLength(random.Below((int)segment.Length));
            return;
        }

        segment.Position = random.Below((int)segment.Length);
        segment.WriteByte(random.Byte());
    }
}
