using System;
using System.Linq;
using System.Text;
using NUnit.Framework;
using Transport.Files;
using Unpack;
using static BuildHarness.Tests.Archives.TarBytes;

namespace BuildHarness.Tests.Archives;

[TestFixture]
internal sealed class TarReadingTests
{
    [Test]
    public void All_kinds_are_read()
    {
        byte[] tar = new TarBytes().Dir("./").Dir("./d/").Entry("./d/f", content: "text").Entry("./l", '2', "../anywhere")
            .Entry("./h", '1', "./d/f").Entry("e/f/g", '7').End();

        Assert.That(Reading.Lines(tar), Is.EqualTo(new[] { "Directory", "d Directory", "d/f File text", "l SymbolicLink ../anywhere",
            "h HardLink d/f", "e/f/g File" }.Select((l, i) => i == 0 ? " " + l : l)));
    }

    [Test]
    public void A_folder_may_be_named_again_and_a_hard_link_may_name_a_link()
    {
        byte[] tar = new TarBytes().Entry("d/f").Dir("d").Dir("d/").Dir("./d/.").Entry("l", '2', "x").Entry("h", '1', "l")
            .Entry("h2", '1', "h").End();

        var all = Reading.All(tar);
        Assert.That(all.Select(e => e.Entry.Path), Is.EqualTo(new[] { "d/f", "d", "d", "d", "l", "h", "h2" }));
    }

    [Test]
    public void Extended_headers_count_before_the_headers_own_fields()
    {
        string name = string.Concat(Enumerable.Repeat("long/", 60)) + "name", link = new('l', 300);
        byte[] pax = new TarBytes().Pax('x', "path=" + name, "linkpath=" + link, "mtime=-1.25", "comment=ignored").Entry("x", '2', "y")
            .End();
        byte[] gnu = new TarBytes().Gnu('K', link).Gnu('L', name).Entry("x", '2', "y").End();
        byte[] prefixed = new TarBytes().Entry("name", '2', "y", prefix: "some/prefix").End();

        Assert.That(Reading.Lines(pax), Is.EqualTo(new[] { $"{name} SymbolicLink {link}" }));
        Assert.That(Reading.All(pax)[0].Entry.Modified, Is.EqualTo(new FileTime(-2, 750_000_000)));
        Assert.That(Reading.Lines(gnu), Is.EqualTo(new[] { $"{name} SymbolicLink {link}" }));
        Assert.That(Reading.Lines(prefixed), Is.EqualTo(new[] { "some/prefix/name SymbolicLink y" }));
    }

    [Test]
    public void A_pax_size_counts_before_the_headers()
    {
        byte[] tar = new TarBytes().Pax('x', "size=700").Raw(Header(Latin("a"), '0', [], 0, 420, 0, []))
            .Content(Encoding.ASCII.GetBytes(new string('q', 700))).Entry("b", content: "b").End();

        Assert.That(Reading.Lines(tar), Is.EqualTo(new[] { "a File " + new string('q', 700), "b File b" }));
    }

    [TestCase("1.5", 1, 500_000_000)]
    [TestCase("0", 0, 0)]
    [TestCase("1700000000.123456789", 1_700_000_000, 123_456_789)]
    [TestCase("1.1234567899", 1, 123_456_789)]
    [TestCase("-1", -1, 0)]
    [TestCase("-0.5", -1, 500_000_000)]
    public void Times_have_nanoseconds_and_may_lie_before_1970(string text, long seconds, int nanoseconds) =>
        Assert.That(Reading.All(new TarBytes().Pax('x', "mtime=" + text).Entry("a").End())[0].Entry.Modified,
            Is.EqualTo(new FileTime(seconds, nanoseconds)));

    [Test]
    public void A_global_time_holds_for_all_behind_it_that_say_nothing()
    {
        byte[] tar = new TarBytes().Entry("a", mtime: 5).Pax('g', "mtime=77", "comment=0123").Entry("b").Pax('x', "mtime=88").Entry("c")
            .Entry("d").End();

        Assert.That(Reading.All(tar).Select(e => e.Entry.Modified!.Value.Seconds), Is.EqualTo(new[] { 5L, 77, 88, 77 }));
    }

    [Test]
    public void Names_that_are_no_UTF_8_are_refused_and_shown_without_control_characters() =>
        Assert.That(Reading.Refusal(One("a\u00e9\u00ff\u001b")), Does.StartWith("entry a").And.EndWith("\\u001b: its name is not UTF-8"));

    [Test]
    public void Only_permissions_are_kept_of_the_mode() =>
        Assert.That(Reading.All(One("a", mode: 0b111_110_111_101_001))[0].Entry.Mode, Is.EqualTo(0b110_111_101_001 & 0x1ff));

    [Test]
    public void An_archive_of_nothing_is_one()
    {
        Assert.That(Reading.All(new TarBytes().End()), Is.Empty);
        Assert.That(Reading.All(new byte[10240]), Is.Empty);
        Assert.That(Reading.All(GzipBytes.Member(new byte[10240])), Is.Empty);
    }

    [Test]
    public void What_tar_writes_with_a_label_or_incrementally_is_read()
    {
        byte[] label = new TarBytes().Entry("a label", 'V').Entry("a", content: "x").End();
        byte[] incremental = new TarBytes().Entry("d/", 'D', content: "Ya\0\0").Entry("d/a", content: "x").End();

        Assert.That(Reading.Lines(label), Is.EqualTo(new[] { "a File x" }));
        Assert.That(Reading.Lines(incremental), Is.EqualTo(new[] { "d Directory", "d/a File x" }));
    }

    [Test]
    public void A_global_header_needs_no_entry_behind_it() =>
        Assert.That(Reading.All(new TarBytes().Pax('g', "comment=what git archive writes of an empty commit").End()), Is.Empty);

    [Test]
    public void A_v7_header_needs_no_magic_and_a_slash_makes_a_folder()
    {
        byte[] header = Header(Latin("d/"), '\0', [], 0, 0x1ff, 0, []);
        header.AsSpan(257).Clear();
        Assert.That(Reading.Lines(new TarBytes().Raw(Sum(header)).End()), Is.EqualTo(new[] { "d Directory" }));
    }

    [TestCase(1)]
    [TestCase(2)]
    [TestCase(3)]
    public void Random_archives_come_out_as_they_went_in(int seed)
    {
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        string[] texts = [.. Enumerable.Range(0, 40).Select(i => string.Concat(
            Enumerable.Range(0, random.Next(4) == 0 ? random.Next(200_000) : random.Next(2000)).Select(_ => (char)random.Next(32, 127))))];
        var tar = new TarBytes();
        for (int i = 0; i < texts.Length; i++)
        {
            tar.Entry($"f{i}", content: texts[i]);
        }

        byte[] bytes = tar.End();
        byte[] zip = ZipBytes.Of([.. texts.Select((text, i) => new ZipItem($"f{i}", text) { Method = i % 3 == 0 ? 0 : 8 })]);
        byte[][] pieces = [.. Enumerable.Range(0, 5)
            .Select(i => GzipBytes.Member(bytes[(bytes.Length * i / 5)..(bytes.Length * (i + 1) / 5)]))];
        foreach (byte[] archive in new[] { bytes, zip, GzipBytes.Member(bytes), pieces.SelectMany(p => p).ToArray() })
        {
            Assert.That(Reading.All(archive).Select(e => e.Content), Is.EqualTo(texts));
        }
    }
}
