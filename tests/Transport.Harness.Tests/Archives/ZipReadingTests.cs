using System;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text;
using NUnit.Framework;
using Transport.Files;
using Unpack;

namespace BuildHarness.Tests.Archives;

[TestFixture]
internal sealed class ZipReadingTests
{
    [Test]
    public void All_kinds_are_read_as_they_lie()
    {
        byte[] zip = ZipBytes.Of(new ZipItem("d/") { Mode = 0x41ed }, new ZipItem("d/stored", "1") { Method = 0 }, new ZipItem("l",
            "../anywhere") { Mode = 0xa1ff }, new ZipItem("./e//f", new string('x', 100_000)), new ZipItem("d/") { Mode = 0x41ed });

        Assert.That(Reading.Lines(zip), Is.EqualTo(new[] { "d Directory", "d/stored File 1", "l SymbolicLink ../anywhere", "e/f File "
            + new string('x', 100_000), "d Directory" }));
    }

    [Test]
    public void An_archive_of_nothing_is_one() => Assert.That(Reading.All(ZipBytes.Of()), Is.Empty);

    [TestCase(0x81ed, 3, "a", "755")]
    [TestCase(0x8824, 3, "a", "44")]
    [TestCase(0, 3, "a", "644")]
    [TestCase(0, 0, "a", "644")]
    [TestCase(0, 0, "a/", "755")]
    [TestCase(0x41c0, 3, "a/", "700")]
    [TestCase(0x81a4, 3, "a/", "755")]
    [TestCase(0x81b6, 0, "a", "666")]
    public void Modes_are_those_of_Unix_or_the_usual_ones(int mode, int madeBy, string name, string octal) =>
        Assert.That(Convert.ToString(Reading.All(ZipBytes.Of(new ZipItem(name)
        {
            Mode = mode, MadeBy = madeBy,
        }))[0].Entry.Mode, 8), Is.EqualTo(octal));

    [TestCase(0x1180, "log", "text", Description = "zip --fifo")]
    [TestCase(0x1180, "-", "text", Description = "zip x.zip - of a pipe")]
    [TestCase(0x1180, "-", "", Description = "of one that gives nothing")]
    [TestCase(0xc180, "-", "text", Description = "of a socket")]
    public void What_zip_has_read_from_a_pipe_is_a_file(int mode, string name, string content)
    {
        (ArchiveEntry entry, string read) = Reading.All(ZipBytes.Of(new ZipItem(name, content) { Mode = mode }))[0];
        Assert.That((entry.Kind, entry.Mode, read), Is.EqualTo((EntryKind.File, 0x180, content)));
    }

    [Test]
    public void A_time_is_that_of_the_directory_also_that_of_reproducible_archives_and_of_none()
    {
        uint dos = (45u << 25) | (1u << 21) | (1u << 16) | (11u << 11) | (59u << 5) | 7;
        const uint First = (1u << 21) | (1u << 16);   // 1980-01-01, the first date there is
        byte[] zip = ZipBytes.Of(
            new ZipItem("a") { DosTime = dos }, new ZipItem("b") { DosTime = First }, new ZipItem("c") { DosTime = 0 });

        var local = new DateTimeOffset(new DateTime(2025, 1, 1, 11, 59, 14, DateTimeKind.Local));
        FileTime first = FileTime.From(new DateTimeOffset(new DateTime(1980, 1, 1, 0, 0, 0, DateTimeKind.Local)));
        Assert.That(Reading.All(zip).Select(e => e.Entry.Modified), Is.EqualTo(new FileTime?[] { FileTime.From(local), first, first }));
    }

    [Test]
    public void Names_are_UTF_8_and_others_are_refused()
    {
        byte[] utf8 = Encoding.UTF8.GetBytes("\u00fc");
        byte[] zip = ZipBytes.Of(new ZipItem("a") { Name = utf8, Flags = 1 << 11 }, new ZipItem("b") { Name = [(byte)'2', .. utf8] });

        Assert.That(Reading.All(zip).Select(e => e.Entry.Path), Is.EqualTo(new[] { "\u00fc", "2\u00fc" }));
        Assert.That(Reading.Refusal(ZipBytes.Of(new ZipItem("b") { Name = [(byte)'2', 0x81], MadeBy = 0 })),
            Does.Contain("its name is not UTF-8"));
    }

    [TestCase(12)]
    [TestCase(16)]
    [TestCase(20)]
    [TestCase(24)]
    public void Data_descriptors_have_four_lengths(int length)
    {
        byte[] content = Encoding.ASCII.GetBytes("some content"), data = ZipBytes.Deflate(content);
        byte[] sizes = length >= 20 ? [.. BitConverter.GetBytes((long)data.Length), .. BitConverter.GetBytes((long)content.Length)]
            : [.. BitConverter.GetBytes(data.Length), .. BitConverter.GetBytes(content.Length)];
        byte[] signature = length is 16 or 24 ? [0x50, 0x4b, 7, 8] : [];
        var item = new ZipItem("a", "some content")
        {
            Flags = 8, Descriptor = [.. signature, .. BitConverter.GetBytes(ZipBytes.Crc(content)), .. sizes],
        };

        Assert.That(Reading.Lines(ZipBytes.Of(item, new ZipItem("b", "b"))), Is.EqualTo(new[] { "a File some content", "b File b" }));
    }

    [Test]
    public void The_64_bit_forms_are_read()
    {
        byte[] data = ZipBytes.Deflate("text"u8.ToArray());
        byte[] local = [1, 0, 16, 0, .. BitConverter.GetBytes(4L), .. BitConverter.GetBytes((long)data.Length)],
            central = [1, 0, 8, 0, .. BitConverter.GetBytes(4L)];
        byte[] zip = new ZipBytes { Is64 = true, Comment = Encoding.ASCII.GetBytes("a comment") }.Add(new ZipItem("a", "text")
        {
            Size = uint.MaxValue, LocalSize = uint.MaxValue, LocalCompressed = uint.MaxValue, Extra = central, LocalExtra = local,
        }).End();

        Assert.That(Reading.Lines(zip), Is.EqualTo(new[] { "a File text" }));
    }

    [Test]
    public void What_the_runtime_writes_is_read_also_to_a_stream_that_cannot_go_back()
    {
        using var bytes = new MemoryStream();
        using (var forward = new OneWay(bytes))
        using (var zip = new ZipArchive(forward, ZipArchiveMode.Create, leaveOpen: true))
        {
            foreach (string name in new[] { "a", "b/c", "\u00fc" })
            {
                using Stream entry = zip.CreateEntry(name, name == "a" ? CompressionLevel.NoCompression : CompressionLevel.Optimal).Open();
                entry.Write(Encoding.ASCII.GetBytes("content of it"));
            }
        }

        Assert.That(Reading.Lines(bytes.ToArray()),
            Is.EqualTo(new[] { "a File content of it", "b/c File content of it", "\u00fc File content of it" }));
    }

    private sealed class OneWay(MemoryStream to) : Stream
    {
        public override bool CanRead => false;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override void Flush()
        {
        }

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => to.Write(buffer, offset, count);
    }
}
