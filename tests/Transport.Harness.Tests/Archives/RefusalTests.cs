using System;
using System.IO;
using System.Linq;
using System.Text;
using NUnit.Framework;
using Transport.Testing;
using Unpack;
using static BuildHarness.Tests.Archives.TarBytes;

namespace BuildHarness.Tests.Archives;

[TestFixture]
internal sealed class RefusalTests
{
    [TestCaseSource(typeof(Malice), nameof(Malice.Cases))]
    public void It_is_refused_and_says_which_entry_and_why(Evil evil)
    {
        string? said = Reading.Refusal(evil.Bytes());

        Assert.That(said, Does.Contain(evil.Said));
        Assert.That(said!.Any(char.IsControl), Is.False);
    }

    /// <summary>A list that a person reads has to stay true: nothing of it is refused, and all of it stays inside.</summary>
    [TestCaseSource(typeof(Malice), nameof(Malice.TakenCases))]
    public void It_is_taken_as_the_runtime_takes_it(Evil one) =>
        Assert.That(Reading.All(one.Bytes()).Select(e => e.Entry.Path), Has.All.Match("^[a-z]"));

    [Test]
    public void The_number_of_entries_is_limited_and_counts_implied_folders()
    {
        var limits = new ArchiveLimits { Entries = 5 };
        Assert.That(Reading.Refusal(TarBytes.One("1/2/3/4/5"), limits), Is.Null);
        Assert.That(Reading.Refusal(TarBytes.One("1/2/3/4/5/6"), limits), Does.Contain("more than 5 entries"));
        Assert.That(Reading.Refusal(ZipBytes.Of([.. Enumerable.Range(0, 6).Select(i => new ZipItem($"{i}", "x"))]), limits),
            Does.Contain("more than 5"));

        // One folder over and over is one path, and yet work.
        var tar = new TarBytes();
        for (int i = 0; i < 6; i++)
        {
            tar.Dir("d");
        }

        Assert.That(Reading.Refusal(tar.End(), limits), Does.Contain("more than 5 entries"));
    }

    /// <summary>The runtime's reader takes memory for each entry of the directory that it believes: that is the one which is
    /// counted.</summary>
    [Test]
    public void Of_two_directories_the_one_that_is_read_is_counted()
    {
        byte[] many = new ZipBytes { Is64 = true }.Add([.. Enumerable.Range(0, 9).Select(i => new ZipItem($"{i}", "x"))]).End();

        // The 32-bit end names another place, and so many entries that the 64-bit end is the one that counts.
        byte[] both = [.. many];
        both.AsSpan(both.Length - 6, 4).Clear();
        using var folder = new TemporaryFolder();
        string path = Path.Combine(folder.Path, "both.zip");
        File.WriteAllBytes(path, both);
        using (FileStream file = File.OpenRead(path))
        {
            Assert.That(() => ZipDirectory.Check(file, new ArchiveLimits { Entries = 5 }),
                Throws.TypeOf<ArchiveException>().With.Message.Contains("more than 5 entries"));
        }

        Assert.That(Reading.All(both), Has.Count.EqualTo(9), "the runtime reads it");
        byte[] end = ZipBytes.Of();
        end[^2] = 9;
        Assert.That(Reading.Refusal([.. many, .. end]), Does.Contain("directory's end is not at the end"), "ZipArchive takes the last end");
    }

    [Test]
    public void The_bytes_of_all_names_are_limited()
    {
        var limits = new ArchiveLimits { NameBytes = 10 };
        Assert.That(Reading.Refusal(new TarBytes().Entry("12345").Entry("12346").End(), limits), Is.Null);
        Assert.That(Reading.Refusal(new TarBytes().Entry("12345").Entry("123456").End(), limits),
            Does.Contain("all names together have more than 10 bytes"));
        Assert.That(Reading.Refusal(new TarBytes().Entry("12345", '2', "123456").End(), limits), Does.Contain("all names together"));
        Assert.That(Reading.Refusal(ZipBytes.Of(new ZipItem("12345", "x"), new ZipItem("123456", "x")), limits),
            Does.Contain("all names together"));
    }

    [Test]
    public void All_decompressed_bytes_are_limited_together()
    {
        var limits = new ArchiveLimits { Bytes = 3000 };
        string text = new('x', 1600);
        Assert.That(Reading.Refusal(ZipBytes.Of(new ZipItem("a", text), new ZipItem("b", text)), limits),
            Does.Contain("entry b: the archive holds more than 3000 bytes"));
        Assert.That(Reading.Refusal(GzipBytes.Member(TarBytes.One("a", content: text)), limits), Does.Contain("more than 3000 bytes"));
        Assert.That(Reading.Refusal(TarBytes.One("a", content: text), limits), Does.Contain("more than 3000 bytes"),
            "headers and end count too");
    }

    [Test]
    public void What_is_only_long_is_refused_before_it_is_read()
    {
        var limits = new ArchiveLimits { Bytes = 1 << 30 };
        var zeros = new Zeros();
        Assert.That(() => new TarSource(zeros, limits, new Budget(limits), length: 40L << 30).Next(),
            Throws.TypeOf<ArchiveException>().With.Message.Contains("more than 1073741824 bytes (--limit-bytes)"));
        Assert.That(zeros.Given, Is.LessThan(1 << 20));

        byte[] zip = ZipBytes.Of(new ZipItem("a", "x") { Size = 800 << 20 }, new ZipItem("b", "x") { Size = 800 << 20 });
        Assert.That(Reading.Refusal(zip, limits with { Ratio = 1e9 }), Does.StartWith("entry b: ").And.Contain("(--limit-bytes)"),
            "not: a has 1 byte");
    }

    [Test]
    public void Too_many_bytes_in_a_gzip_file_are_blamed_on_the_entry_that_they_are_of()
    {
        byte[] tar = new TarBytes().Entry("before", content: "x").Entry("large", content: new string('x', 4 << 20)).End();

        Assert.That(Reading.Refusal(GzipBytes.Member(tar)), Does.StartWith("entry large: ").And.Contain("more than 200 : 1"));
        Assert.That(Reading.Refusal(GzipBytes.Member([.. One("a"), .. new byte[4 << 20]])), Does.Not.StartWith("entry"), "of no entry");
    }

    [Test]
    public void The_ratio_counts_beyond_the_first_mebibyte_and_can_be_set()
    {
        byte[] small = ZipBytes.Of(new ZipItem("a") { Content = new byte[1 << 20] }), large = ZipBytes.Of(new ZipItem("a")
        {
            Content = new byte[(1 << 20) + 1],
        });
        Assert.That(Reading.Refusal(small), Is.Null);
        Assert.That(Reading.Refusal(large), Does.Contain("more than 200 : 1"));
        Assert.That(Reading.Refusal(large, new ArchiveLimits { Ratio = 2000 }), Is.Null);
    }

    [Test]
    public void Zeros_anywhere_are_weighed_against_all_of_the_archive()
    {
        byte[] zeros = new byte[3 << 20], noise = new byte[40 << 10];
        new Random(7).NextBytes(noise);
        string rest = Encoding.Latin1.GetString(noise);
        byte[] zip = ZipBytes.Of(new ZipItem("table") { Content = zeros }, new ZipItem("rest") { Content = noise });
        byte[] tar = new TarBytes().Entry("table", content: new string('\0', zeros.Length)).Entry("rest", content: rest).End();

        Assert.That(Reading.All(zip).Select(e => e.Content.Length), Is.EqualTo(new[] { zeros.Length, noise.Length }));
        Assert.That(Reading.All(GzipBytes.Member(tar)).Select(e => e.Content.Length), Is.EqualTo(new[] { zeros.Length, noise.Length }));

        // What is too much for all of it is refused, wherever the noise is.
        foreach (bool first in new[] { true, false })
        {
            byte[] entry = new TarBytes().Entry("noise", content: rest).Bytes(),
                bomb = new TarBytes().Entry("table", content: new string('\0', 16 << 20)).Bytes();
            Assert.That(Reading.Refusal(GzipBytes.Member([.. first ? entry : [], .. bomb, .. first ? [] : entry, .. new byte[1024]])),
                Does.StartWith("entry table: ").And.Contain("more than 200 : 1 (--limit-ratio N"));
        }
    }

    [Test]
    public void What_an_archive_claims_is_weighed_before_it_is_read()
    {
        // Its bytes make no sense, but nobody comes so far.
        byte[] zip = ZipBytes.Of(new ZipItem("small", "x"), new ZipItem("a") { Data = [0xff, 0xff, 0xff], Size = 64 << 20 });
        Assert.That(Reading.Refusal(zip),
            Does.StartWith("entry a: up to there 67108865 bytes come out of an archive of ").And.Contain("more than 200 : 1"));

        byte[] header = Header(Latin("a"), '0', [], 64 << 20, 420, 0, []);
        Assert.That(Reading.Refusal(GzipBytes.Member(header)), Does.StartWith("entry a: up to there 67109376 bytes come out of "));
        Assert.That(Reading.Refusal(header), Does.Contain("ends in the middle of it"),
            "no byte of a tar gives more than one: it is cut off");
    }

    [TestCase("Readme", "README")]
    [TestCase("\u00e9", "e\u0301")]
    [TestCase("d/x", "D/y/x")]
    public void Where_names_fold_what_differs_only_so_is_one(string first, string second)
    {
        byte[] two = new TarBytes().Pax('x', "path=" + first).Entry("x").Pax('x', "path=" + second).Entry("x").End();
        string? said = Reading.Refusal(two, foldsNames: true);
        Assert.That(said, first.StartsWith('d') ? Is.Null : Does.Contain("two entries of this name (this file system"));
        Assert.That(Reading.Refusal(two), Is.Null);
    }

    [TestCase("a\\b")]
    [TestCase("c:evil")]
    public void On_Windows_a_backslash_or_colon_means_something(string name)
    {
        Assert.That(Reading.Refusal(TarBytes.One(name), onWindows: true), Does.Contain("a backslash or colon is in its name"));
        Assert.That(Reading.Lines(TarBytes.One(name)), Is.EqualTo(new[] { name + " File" }), "an ordinary byte elsewhere");
    }

    /// <summary>Zeros, more than anybody should want.</summary>
    private sealed class Zeros : ForwardStream
    {
        public long Given { get; private set; }

        public override int Read(System.Span<byte> buffer)
        {
            buffer.Clear();
            Given += buffer.Length;
            return Given < 1 << 26 ? buffer.Length : throw new AssertionException("It reads on and on.");
        }
    }
}
