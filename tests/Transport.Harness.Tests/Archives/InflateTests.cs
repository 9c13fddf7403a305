using System;
using System.IO;
using System.IO.Compression;
using System.Linq;
using BuildHarness.Archives;
using BuildHarness.Archives.Names;
using NUnit.Framework;
using Transport.Files;

namespace BuildHarness.Tests.Archives;

/// <summary>What the readers rest on: the runtime's inflater asks for no byte behind the end of its data, and for every one
/// before.</summary>
[TestFixture]
internal sealed class InflateTests
{
    [TestCase(1)]
    [TestCase(2)]
    public void The_end_of_compressed_data_is_known_to_the_byte(int seed)
    {
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        string path = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        try
        {
            for (int i = 0; i < 150; i++)
            {
                byte[] data = Compressed(random, out int length);
                foreach (int more in new[] { 0, 1, 7, -1, -2, -data.Length })
                {
                    int end = Math.Max(0, data.Length + more);
                    File.WriteAllBytes(path,
                        [.. data.Take(end), .. Enumerable.Range(0, Math.Max(0, more)).Select(_ => (byte)random.Next(256))]);
                    Assert.That(EndsExactly(path, end, length, random.Next(1, 70_000)), Is.EqualTo(end == data.Length),
                        $"case {i}, {more} bytes more");
                }
            }
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Test]
    public void The_check_sum_is_that_of_zip()
    {
        TestContext.Out.WriteLine("seed 4");
        var bytes = new byte[1000];
        new Random(4).NextBytes(bytes);
        Assert.That(Crc32.Append(0, "123456789"u8), Is.EqualTo(0xCBF43926), "the value that every implementation is checked with");
        for (int length = 0; length < 200; length++)
        {
            Assert.That(Crc32.Append(Crc32.Append(0, bytes.AsSpan(0, length)), bytes.AsSpan(length)), Is.EqualTo(ZipBytes.Crc(bytes)),
                $"cut at {length}");
        }
    }

    [Test]
    public void The_hash_of_names_is_SipHash()
    {
        var hash = new SipHash(0x0706050403020100, 0x0f0e0d0c0b0a0908);
        Assert.That(hash.Of([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]), Is.EqualTo(0xa129ca6149be45e5),
            "the example of its authors");
        SipHash one = SipHash.Create(), other = SipHash.Create();
        Assert.That(one.Of("name"u8), Is.Not.EqualTo(other.Of("name"u8)));
    }

    private static bool EndsExactly(string path, int end, int length, int step)
    {
        using ArchiveFile file = ArchiveFile.Open(path);
        var input = new InflateSource(file, 0, end - 1, end);
        using var inflater = new DeflateStream(input, CompressionMode.Decompress);
        var buffer = new byte[step];
        long all = 0;
        try
        {
            for (int read; (read = inflater.Read(buffer)) > 0;)
            {
                all += read;
            }
        }
        catch (InvalidDataException)
        {
            return false;
        }

        return !input.AskedBeyond && input.Handed == end && all == length;
    }

    private static byte[] Compressed(Random random, out int length)
    {
        length = random.Next(3) == 0 ? random.Next(1, 5) : random.Next(1, 60_000);
        int kind = random.Next(3);
        byte[] content = [.. Enumerable.Range(0, length)
            .Select(i => kind == 0 ? (byte)random.Next(256) : kind == 1 ? (byte)random.Next(4) : (byte)(i >> 10))];
        using var compressed = new MemoryStream();
        using (var deflate = new DeflateStream(compressed, (CompressionLevel)random.Next(4), leaveOpen: true))
        {
            for (int at = 0; at < length;)
            {
                int piece = Math.Min(length - at, random.Next(1, 20_000));
                deflate.Write(content, at, piece);
                at += piece;
                if (random.Next(3) == 0)
                {
                    deflate.Flush();
                }
            }
        }

        return compressed.ToArray();
    }
}
