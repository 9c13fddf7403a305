using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using NUnit.Framework;
using Unpack;

namespace BuildHarness.Tests.Archives;

/// <summary>Good archives with something wrong somewhere: they are refused, or come out, and nothing else happens.</summary>
[TestFixture]
internal sealed class MutationTests
{
    private static readonly ArchiveLimits Limits = new() { Bytes = 64 << 20, Entries = 10_000 };

    [TestCase("tar")]
    [TestCase("gzip")]
    [TestCase("zip")]
    public void Whatever_is_changed_it_is_read_or_refused(string format)
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        byte[] good = Good(format);
        string path = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        int refused = 0;
        try
        {
            for (int i = 0; i < 3000; i++)
            {
                byte[] bad = Change(good, random);
                File.WriteAllBytes(path, bad);
                try
                {
                    Read(path);
                }
                catch (ArchiveException e)
                {
                    Assert.That(e.Message.Any(char.IsControl), Is.False);
                    refused++;
                }
                catch (Exception e)
                {
                    File.WriteAllBytes(path + ".kept", bad);
                    Assert.Fail($"case {i}, kept as {path}.kept: {e}");
                }
            }
        }
        finally
        {
            File.Delete(path);
        }

        Assert.That(refused, Is.GreaterThan(1000));
    }

    [Test]
    public void No_byte_of_the_content_can_be_changed_unseen([Values("gzip", "zip")] string format)
    {
        byte[] good = Good(format);
        string[] contents = [.. Reading.All(good).Select(e => e.Content)];
        for (int at = 0; at < good.Length; at++)
        {
            byte[] bad = [.. good];
            bad[at] ^= 0x10;
            List<(ArchiveEntry Entry, string Content)> read;
            try
            {
                read = Reading.All(bad, Limits);
            }
            catch (ArchiveException)
            {
                continue;
            }

            Assert.That(read.Select(e => e.Content), Is.EqualTo(contents), $"byte {at}");
        }
    }

    private static void Read(string path)
    {
        var buffer = new byte[5000];
        using ArchiveReader reader = ArchiveReader.Open(path, Limits);
        while (reader.Next() is not null)
        {
            while (reader.Content.Read(buffer) > 0)
            {
            }
        }
    }

    private static byte[] Good(string format)
    {
        byte[] tar = new TarBytes().Dir("d/").Entry("d/a", content: "some content").Pax('x', "path=d/long", "mtime=1.5")
            .Entry("x", content: new string('y', 700)).Gnu('L', "d/gnu").Entry("z").Entry("l", '2', "d/a").Entry("h", '1', "d/a").End();
        byte[] stamp = [0x55, 0x54, 5, 0, 1, 1, 2, 3, 4];
        return format switch
        {
            "tar" => tar,
            "gzip" => [.. GzipBytes.Member(tar[..1000], flags: 8, header: "name\0"u8.ToArray()), .. GzipBytes.Member(tar[1000..])],
            _ => new ZipBytes { Is64 = true, Comment = "comment"u8.ToArray() }
                .Add(new ZipItem("d/") { Mode = 0x41ed }, new ZipItem("d/a", "some content") { Extra = stamp, LocalExtra = stamp },
                    new ZipItem("d/b", new string('y', 700)), new ZipItem("s", "stored") { Method = 0 },
                    new ZipItem("l", "d/a") { Mode = 0xa1ff })
                .End(),
        };
    }

    private static byte[] Change(byte[] good, Random random)
    {
        byte[] bad = [.. good];
        for (int changes = random.Next(1, 4); changes > 0 && bad.Length > 0; changes--)
        {
            int at = random.Next(bad.Length), length = random.Next(1, 40);
            switch (random.Next(6))
            {
                case 0:
                    bad[at] = (byte)random.Next(256);
                    break;
                case 1:
                    bad[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 2:
                    bad = bad[..at];
                    break;
                case 3:
                    bad = [.. bad.Take(at), .. bad.Skip(at + length)];
                    break;
                case 4:
                    bad = [.. bad.Take(at), .. bad.Skip(random.Next(bad.Length)).Take(length), .. bad.Skip(at)];
                    break;
                default:
                    bad.AsSpan(at, Math.Min(length, bad.Length - at)).Fill((byte)(random.Next(2) * 255));
                    break;
            }

            // A tar header's sum is made right again, so that what is behind it is reached.
            int header = at / 512 * 512;
            if (random.Next(2) == 0 && header + 512 <= bad.Length && bad.AsSpan(header + 257, 5).SequenceEqual("ustar"u8))
            {
                TarBytes.Sum(bad.AsSpan(header, 512).ToArray()).CopyTo(bad, header);
            }
        }

        return bad;
    }
}
