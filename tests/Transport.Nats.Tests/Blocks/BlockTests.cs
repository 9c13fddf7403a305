using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal;

namespace Transport.Nats.Tests.Blocks;

/// <summary>The bytes of blocks: as docs/reference/block-format.md has them, and whatever somebody else makes of them.</summary>
internal sealed class BlockTests
{
    private static readonly Guid Id = new("0f3c1a2b-4d5e-6f70-8192-a3b4c5d6e7f8");
    private static readonly ArrayPool<byte> Pool = ArrayPool<byte>.Create();

    [Test]
    public async Task A_block_has_these_bytes()
    {
        string block = Convert.ToHexString(One(await CutAsync([Record(7, "n1", 1024, "hello"), Record(9, "worker", 1025, "")], after: 4)));
        Assert.That(
            block,
            Is.EqualTo(
                "54424C4B" + "0100" + "00" + "00" + "0F3C1A2B4D5E6F708192A3B4C5D6E7F8"
                + "0400000000000000" + "0700000000000000" + "0900000000000000" + "02000000" + "3D000000" + "0000" + "0100" + block[120..128]
                + "0700000000000000" + "8096980000000000" + "0004" + "02" + "00" + "05000000" + "6E31" + "68656C6C6F"
                + "0900000000000000" + "8096980000000000" + "0104" + "06" + "00" + "00000000" + "776F726B6572"));
        Assert.That(block[120..128], Is.EqualTo("7C47AABD"), "the sum of all of it, by another implementation");
    }

    [TestCase("", 0x00000000u)]
    [TestCase("123456789", 0xE3069283u)]
    [TestCase("The quick brown fox jumps over the lazy dog", 0x22620404u)]
    public void The_sum_is_CRC_32C(string text, uint expected) =>
        Assert.That(Crc32C.Of(0, Encoding.ASCII.GetBytes(text)), Is.EqualTo(expected));

    [Test]
    public async Task What_is_cut_into_blocks_comes_out_of_them_again([Values] bool compresses, [Values(256, 65_536)] int target)
    {
        var random = new Random(5);
        Packet[] records =
            [.. Enumerable.Range(1, 500).Select(i => Record(i * 2, $"n{i % 7}", 1024, new string('x', random.Next(400))))];
        long last = 0;
        List<(long, string, string)> came = [];
        foreach (byte[] block in await CutAsync(records, 0, target, compresses))
        {
            Assert.That(BlockHeader.Read(block, out BlockHeader header), Is.Null);
            Assert.That(header.Previous, Is.EqualTo(last));
            byte[] content = block[BlockHeader.Size..];
            if (header.IsCompressed)
            {
                Assert.That(Brotli.TryDecompress(content, header.ContentBytes, Pool, out byte[] taken), Is.True);
                content = taken[..header.ContentBytes];
            }

            Assert.That(BlockRecord.Fault(header, content, 1 << 20), Is.Null);
            for (int at = 0; BlockRecord.TryRead(content.AsSpan(at), out BlockRecord record); at += record.Size)
            {
                came.Add((record.Position, Encoding.ASCII.GetString(record.NodeIn(content.AsSpan(at))),
                    Encoding.ASCII.GetString(record.BodyIn(content.AsSpan(at)))));
            }

            last = header.Last;
        }

        Assert.That(came, Is.EqualTo(records.Select(r => (r.Position, r.Node, r.Body))));
    }

    [Test]
    public async Task Bytes_that_somebody_has_changed_are_found_or_harmless()
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        byte[] good = One(await CutAsync([Record(1, "n1", 1024, "hello"), Record(2, "n2", 1024, "world")], 0));
        for (int i = 0; i < 20_000; i++)
        {
            byte[] block = good[..random.Next(good.Length + 1)];
            for (int changes = random.Next(4); changes > 0 && block.Length > 0; changes--)
            {
                block[random.Next(block.Length)] = (byte)random.Next(256);
            }

            string? fault = BlockHeader.Read(block, out BlockHeader header);
            Assert.That(fault is null, Is.EqualTo(block.AsSpan().SequenceEqual(good)), "the sum finds every change");

            // Somebody may make the sum fit: then what the header and the packets say is checked.
            if (block.Length < BlockHeader.Size)
            {
                continue;
            }

            BitConverter.TryWriteBytes(block.AsSpan(60), Crc32C.Of(Crc32C.Of(0, block.AsSpan(0, 60)), block.AsSpan(BlockHeader.Size)));
            if (BlockHeader.Read(block, out header) is null && !header.IsCompressed && header.Parts == 1)
            {
                _ = BlockRecord.Fault(header, block.AsSpan(BlockHeader.Size), 1 << 20);
            }
        }
    }

    [Test]
    public void A_stream_that_claims_much_takes_no_more_memory_than_it_has()
    {
        byte[] small = new byte[4096];
        Assert.That(Brotli.TryCompress(new byte[4096], small, out int length), Is.True);
        Assert.That(Brotli.TryDecompress(small.AsSpan(0, length), 1 << 30, Pool, out byte[] content), Is.False);
        Assert.That(content, Has.Length.LessThanOrEqualTo(256 << 10));
    }

    private static byte[] One(IReadOnlyList<byte[]> blocks)
    {
        Assert.That(blocks, Has.Count.EqualTo(1));
        return blocks[0];
    }

    private static Packet Record(long position, string node, ushort type, string body) => new(position, node, type, body);

    private static async Task<IReadOnlyList<byte[]>> CutAsync(
        IEnumerable<Packet> records, long after, int target = 64 << 10, bool compresses = false)
    {
        List<byte[]> blocks = [];
        var cutter = new BlockCutter(Id, after, target, 1 << 20, compresses, Pool, TimeProvider.System, (_, _) => { }, (block, length, _) =>
        {
            blocks.Add(block[..length]);
            return default;
        });
        foreach (Packet one in records)
        {
            await cutter.AddAsync(
                new JournalRecord(one.Position, DateTimeOffset.UnixEpoch.AddSeconds(1), one.Node, one.Type, Encoding.ASCII.GetBytes(one.Body)));
        }

        await cutter.CloseAsync();
        return blocks;
    }

    private sealed record Packet(long Position, string Node, ushort Type, string Body);
}
