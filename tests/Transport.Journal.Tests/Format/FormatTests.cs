using System;
using System.IO;
using System.Linq;
using System.Text;
using NUnit.Framework;

namespace Transport.Journal.Tests.Format;

/// <summary>The format of docs/reference/journal-format.md, byte for byte.</summary>
internal sealed class FormatTests
{
    [TestCase("", 0u)]
    [TestCase("123456789", 0xE3069283u)]
    public void The_sum_is_castagnolis(string text, uint sum) => Assert.That(Crc32C.Of(Encoding.ASCII.GetBytes(text)), Is.EqualTo(sum));

    [Test]
    public void The_sum_of_many_lengths_is_that_of_one_bit_at_a_time()
    {
        byte[] bytes = [.. Enumerable.Range(0, 100).Select(i => (byte)(i * 37))];
        for (int length = 0; length <= bytes.Length; length++)
        {
            uint sum = ~0u;
            foreach (byte b in bytes.Take(length))
            {
                sum ^= b;
                for (int bit = 0; bit < 8; bit++)
                {
                    sum = (sum & 1) != 0 ? (sum >> 1) ^ 0x82F63B78 : sum >> 1;
                }
            }

            Assert.That(Crc32C.Of(bytes.AsSpan(0, length)), Is.EqualTo(~sum), $"{length}");
            Assert.That(Crc32C.Of(Crc32C.Of(bytes.AsSpan(0, length / 3)), bytes.AsSpan(length / 3, length - (length / 3))),
                Is.EqualTo(~sum), $"{length} in two pieces");
        }
    }

    [Test]
    public void Times_are_kept_to_a_tick()
    {
        var time = new DateTimeOffset(2026, 11, 21, 19, 15, 1, TimeSpan.FromHours(2)).AddTicks(7);
        Assert.That(RecordTime.From(RecordTime.Of(time)), Is.EqualTo(time));
        Assert.That(RecordTime.From(long.MaxValue).Year, Is.EqualTo(9999));
        Assert.That(RecordTime.From(long.MinValue).Year, Is.EqualTo(1));
    }

    [TestCase("0000000001.segment", 1)]
    [TestCase("9999999999.segment", 9_999_999_999)]
    [TestCase("12345678901.segment", 12_345_678_901)]
    [TestCase("0000000000.segment", 0)]
    [TestCase("1.segment", 0)]
    [TestCase("00000000001.segment", 0)]
    [TestCase("+000000001.segment", 0)]
    [TestCase("0000000001.torn", 0)]
    public void Only_segments_are_taken_for_segments(string name, long sequence) =>
        Assert.That(FileNames.IsSegment(name, out long found) ? found : 0, Is.EqualTo(sequence));

    [Test]
    public void A_header_comes_back()
    {
        byte[] bytes = new byte[SegmentHeader.Size];
        SegmentHeader header = new SegmentHeader
        {
            Journal = new Guid("00112233-4455-6677-8899-aabbccddeeff"),
            Sequence = 7,
            Length = 65_536,
            FirstPosition = 1000,
            Epoch = 3,
            Previous = 0xCAFEBABE,
            Time = 123,
            Reach = 456,
            Flags = SegmentFlags.Recycled,
            Sync = JournalSync.EverySecond,
        }.Write(bytes);
        Assert.That(SegmentHeader.Read(bytes, out SegmentHeader read), Is.EqualTo(HeaderState.Valid));
        Assert.That(read, Is.EqualTo(header));
        bytes[8] = 2;
        Assert.That(SegmentHeader.Read(bytes, out read), Is.EqualTo(HeaderState.OneCopy), "the sum is wrong, the other copy is valid");
        Assert.That(read, Is.EqualTo(header));
        Assert.That(SegmentHeader.Read(bytes.AsSpan(0, 100), out _), Is.EqualTo(HeaderState.Unreadable));
    }

    [Test]
    public void The_golden_journal_is_read()
    {
        // Written by the first version, with a fixed clock; what it can read, every later version can.
        string golden = Golden("journal-1");
        Assert.That(PacketJournal.Verify(golden).IsValid, Is.True);
        using var reader = JournalReader.Open(golden);
        Assert.That(reader.TryRead(out JournalRecord first), Is.True);
        Assert.That((first.Position, first.Node, first.Type, Encoding.ASCII.GetString(first.Body.ToArray()), first.Time),
            Is.EqualTo((1L, "n1", (ushort)256, "first", new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero))));
        Assert.That(reader.TryRead(out JournalRecord second), Is.True);
        Assert.That((second.Position, second.Node, second.Type, second.Body.Length), Is.EqualTo((2L, "a-longer.name_2", (ushort)65535, 0)));
        Assert.That(reader.TryRead(out _), Is.False);
        Assert.That(reader.Condition, Is.EqualTo(JournalCondition.Closed));
    }

    [Test]
    public void What_is_written_is_the_golden_journal()
    {
        using var folder = new TestFolder();
        Write(folder.Journal);
        byte[] now = Used(File.ReadAllBytes(folder.Segment(1)));
        string path = Path.Combine(Golden("journal-1"), "0000000001.segment");
        if (Environment.GetEnvironmentVariable("TRANSPORT_UPDATE_GOLDEN") == "1")
        {
            File.WriteAllBytes(path, [.. now, .. new byte[65_536 - now.Length]]);
        }

        byte[] then = Used(File.ReadAllBytes(path));
        Assert.That(now.Length, Is.EqualTo(then.Length));
        for (int i = 0; i < now.Length; i++)
        {
            // What differs from run to run: the id, process id and times of commits, and the sums over them.
            if (now[i] != then[i] && !Differs(i))
            {
                Assert.Fail($"byte {i}: {then[i]:x2} in the golden journal, {now[i]:x2} now");
            }
        }
    }

    private static bool Differs(int at)
    {
        int second = at >= 2048 && at < 4096 ? at - 2048 : at;
        bool header = second is >= 16 and < 32 or >= 124 and < 128;
        int inOpen = at - 4096;
        bool record = at >= 4096 && (Sums.Any(s => at >= s && at < s + 4) || Sums.Any(s => at >= s + 20 && at < s + 24) || inOpen is >= 40
            + 12 and < 40 + 16 || at >= Sums[3] + 40);
        return header || record;
    }

    private static int[] Sums
    {
        get
        {
            int open = 4096, first = open + Whole(0, 16 + "write (asked for by the option)".Length), second = first + Whole(2, 5),
                close = second + Whole(15, 0);
            return [open, first, second, close];
        }
    }

    private static int Whole(int node, int body) => (40 + node + body + 7) & ~7;

    private static byte[] Used(byte[] bytes)
    {
        int end = bytes.Length;
        while (end > 0 && bytes[end - 1] == 0)
        {
            end--;
        }

        return [.. bytes.Take((end + 7) & ~7)];
    }

    private static void Write(string directory)
    {
        var time = new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);
        using PacketJournal journal = PacketJournal.Open(directory, new JournalOptions
        {
            SegmentBytes = 64 << 10, TimeProvider = new FixedClock(time), IdleMarkMilliseconds = 0, BackEnd = JournalBackEnd.Write,
        });
        journal.Append(new JournalNode("n1"), 256, Encoding.ASCII.GetBytes("first"));
        journal.Append(new JournalNode("a-longer.name_2"), 65535, []);
    }

    private static string Golden(string name) => Path.Combine(GoldenFolder.Path, name);
}
