using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using NUnit.Framework;
using Transport.Testing.Wires;
using Transport.Tests.Wires;

namespace Transport.Tests.Tails;

/// <summary>The ring of a tail: what is read is a continuation without a gap, whatever was written, freed, torn or turned over.</summary>
internal sealed class TailTests
{
    [Test]
    public void What_is_read_goes_on_where_it_was_received([Values] bool manyPieces)
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        using var rig = new TailRig();
        var ends = new List<(long Offset, bool Recorded)>();   // of what is not written
        long written = 0;
        for (int step = 0; step < 3_000; step++)
        {
            if (ends.Count == 0 || random.Next(20) < 11)
            {
                byte[] frames = new byte[random.Next(30) == 0 ? random.Next(1, rig.Ring + 100) : random.Next(1, 2_000)];
                random.NextBytes(frames);
                bool recorded = rig.Put(frames, packets: 1, pieces: manyPieces ? random.Next(1, 5) : 1);
                ends.Add((rig.Stream.Count, recorded));
            }
            else
            {
                int packets = random.Next(1, ends.Count + 1);
                written = ends[packets - 1].Offset;
                ends.RemoveRange(0, packets);
                rig.Tail.Written(packets);
            }

            if (step % 20 == 0)
            {
                // As the receiver may have it: all that was written, and perhaps more, whole or not.
                long received = written + (ends.Count == 0 ? 0 : random.Next((int)(ends[ends.Count - 1].Offset - written) + 1));
                int first = ends.FindIndex(e => e.Offset > received), gap = first < 0 ? -1 : ends.FindIndex(first, e => !e.Recorded);
                long until = first < 0 ? received : gap < 0 ? rig.Stream.Count : gap == first ? received : ends[gap - 1].Offset;
                byte[] expected = [.. rig.Stream.GetRange((int)received, (int)(until - received))];
                Assert.That(rig.Continuation(received), Is.EqualTo(expected), $"seed {seed}, step {step}, from {received}");
            }
        }
    }

    [Test]
    public void A_packet_that_finds_no_capacity_is_counted_and_overwrites_nothing()
    {
        using var rig = new TailRig(Lane.Urgent);
        int recorded = 0;
        while (rig.Put(new byte[100]))
        {
            recorded++;
        }

        Assert.That(recorded, Is.EqualTo(rig.Ring / 160), "100 bytes take four steps of 32, and one for the record's head");
        Assert.That(rig.Put(new byte[rig.Ring]), Is.False);
        Assert.That(rig.Continuation(0), Has.Length.EqualTo(recorded * 100));
        Assert.That(TailReader.Open(rig.Bytes(), out _)!.Committed(Lane.Urgent, 0), Is.EqualTo(recorded + 2));
        rig.Tail.Written(1);
        Assert.That(rig.Put(new byte[100]), Is.True, "capacity is there again");
        Assert.That(rig.Continuation(100), Has.Length.EqualTo((recorded - 1) * 100), "it goes on up to the gap");
        Assert.That(rig.Continuation(rig.Stream.Count - 100), Has.Length.EqualTo(100), "and from behind it");
    }

    [Test]
    public void A_torn_record_is_not_taken()
    {
        using var rig = new TailRig();
        rig.Put(Enumerable.Range(0, 300).Select(i => (byte)i).ToArray());
        rig.Tail.Begin(5_000, 1);
        rig.Tail.Append(new byte[2_000], 0, 2_000);
        Assert.That(rig.Continuation(0), Has.Length.EqualTo(300), "the process died before it was complete");
        byte[] file = rig.Bytes();
        file[TailLayout.BlockOf(Lane.Normal) + TailLayout.End + 1] += 0x10;
        byte[] taken = TailReader.Open(file, out _)!.Continuation(Lane.Normal, 0, out string problem);
        Assert.That((taken.Length, problem), Is.EqualTo((300, "its record at 352 of lane 2 is not whole")));
    }

    [Test]
    public void No_byte_that_is_another_is_taken_for_data()
    {
        using var rig = new TailRig();
        var random = new Random(5);
        for (int i = 0; i < 60; i++)
        {
            // Once round the ring, so that records of an earlier round lie behind the end.
            byte[] frames = new byte[random.Next(400, 2_000)];
            random.NextBytes(frames);
            rig.Put(frames);
            rig.Tail.Written(i < 55 ? 1 : 0);
        }

        byte[] file = rig.Bytes();
        long received = rig.Stream.Count - rig.Continuation(0 + Received(rig)).Length;
        byte[] whole = rig.Continuation(received);
        Assert.That(whole, Has.Length.GreaterThan(1_500));
        (int start, int size) = TailLayout.RingOf(Lane.Normal, file.Length);
        for (int at = 8; at < start + size; at = at == TailLayout.Header ? start : at + 1)
        {
            byte was = file[at];
            file[at] ^= (byte)(1 << (at & 7));
            byte[] taken = rig.Continuation(received, file);
            Assert.That(taken.AsSpan().SequenceEqual(whole.AsSpan(0, Math.Min(taken.Length, whole.Length))), Is.True,
                $"byte {at}: {taken.Length} of {whole.Length} bytes");
            file[at] = was;
        }

        static long Received(TailRig rig)
        {
            // The first unwritten byte is where the ring's first record begins.
            byte[] bytes = rig.Bytes();
            long head = BitConverter.ToInt64(bytes, TailLayout.BlockOf(Lane.Normal) + TailLayout.Head);
            (int start, int size) = TailLayout.RingOf(Lane.Normal, bytes.Length);
            return BitConverter.ToInt64(bytes, start + (int)(head % size) + TailLayout.Offset);
        }
    }

    [Test]
    public void Whatever_the_file_says_it_is_read_without_fault()
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        byte[] file = new byte[TailLayout.Least];
        for (int round = 0; round < 3_000; round++)
        {
            random.NextBytes(file);
            BitConverter.GetBytes(TailLayout.Magic).CopyTo(file, 0);
            for (Lane lane = Lane.Urgent; lane <= Lane.Bulk; lane++)
            {
                long[] odd = [0, 32, 64, -32, long.MaxValue - 31, long.MinValue, 4_096, random.Next() & -32];
                BitConverter.GetBytes(odd[random.Next(odd.Length)]).CopyTo(file, TailLayout.BlockOf(lane) + TailLayout.Head);
                BitConverter.GetBytes(odd[random.Next(odd.Length)]).CopyTo(file, TailLayout.BlockOf(lane) + TailLayout.End);
                TailReader tail = TailReader.Open(file, out _)!;
                Assert.That(tail.Continuation(lane, random.Next(), out _), Is.Empty, $"seed {seed}");
                Assert.That(tail.Committed(lane, 7), Is.GreaterThanOrEqualTo(7));
            }
        }

        Assert.That((TailReader.Open(new byte[TailLayout.Least], out string? problem), problem),
            Is.EqualTo(((TailReader?)null, (string?)null)), "no worker has used it");
        Assert.That((TailReader.Open([.. BitConverter.GetBytes(TailLayout.Magic)], out problem), problem),
            Is.EqualTo(((TailReader?)null, "its file has 8 bytes")));
    }

    [Test]
    public void The_file_is_for_its_user_alone_and_never_anothers()
    {
        using var folder = new TestFolder();
        string path = Path.Combine(folder.Path, "1-00000000.tail");
        using (TailFile file = TailFile.Create(path, TailLayout.Least))
        {
            Assert.That(new FileInfo(path).Length, Is.EqualTo(TailLayout.Least));
            Assert.That(Shell.Output("stat", $"-c %a {path}"), Is.EqualTo("600"));
            Assert.Throws<IOException>(() => TailFile.Create(path, TailLayout.Least));
            File.Delete(path);
            File.WriteAllText(path, "somebody else's");
            Assert.That(file.Read(out _), Has.Length.EqualTo(TailLayout.Least), "the file that was made, not the one of its name");
        }

        Assert.That(() => TailFile.Create(Path.Combine(folder.Path, "missing", "1-00000000.tail"), TailLayout.Least),
            Throws.InstanceOf<IOException>().With.Message.Contains("missing"));
    }

    [Test]
    public void The_bytes_of_a_tail_have_a_range([Values(1, 65_535, (256 << 20) + 1, -1)] int bytes) =>
        Assert.That(() => MainNode.Start(new MainNodeOptions { TailBytes = bytes }),
            Throws.ArgumentException.With.Message.Contains("TailBytes"));
}
