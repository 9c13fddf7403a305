using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using NUnit.Framework;
using static BuildHarness.Tests.Archives.TarBytes;

namespace BuildHarness.Tests.Archives;

/// <summary>An archive that must be refused.</summary>
/// <param name="Name">What it tries.</param>
/// <param name="Said">What the refusal says.</param>
/// <param name="Bytes">The archive.</param>
internal sealed record Evil(string Name, string Said, Func<byte[]> Bytes)
{
    public override string ToString() => Name;
}

/// <summary>One archive a refusal, and each way to write it.</summary>
internal static class Malice
{
    private const string LongName = "0123456789abcdef";

    /// <summary>Gets the folder that some of them aim at; a test that extracts makes it, with a file "victim" in it.</summary>
    public static string Outside { get; } = Path.Combine(Path.GetTempPath(), "harness-outside");

    private static string Target => Path.Combine(Outside, "evil");

    private static string Victim => Path.Combine(Outside, "victim");

    public static IEnumerable<Evil> All() => [.. Tars(), .. Gzips(), .. Zips()];

    public static IEnumerable<TestCaseData> Cases() => All().Select(evil => new TestCaseData(evil).SetArgDisplayNames(evil.Name));

    private static byte[] Data(string name) => One(name, content: "evil");

    private static IEnumerable<Evil> Tars()
    {
        yield return new("tar: absolute", $"entry {Target}: its path is absolute", () => Data(Target));
        yield return new("tar: absolute, GNU name", $"entry {Target}: its path is absolute", () =>
            new TarBytes().Gnu('L', Target).Entry("good", content: "x").End());
        yield return new("tar: absolute, pax name", $"entry {Target}: its path is absolute", () =>
            new TarBytes().Pax('x', "path=" + Target).Entry("good", content: "x").End());
        yield return new("tar: absolute by prefix", $"entry {Target}: its path is absolute", () =>
            new TarBytes().Entry("evil", prefix: Outside).End());
        yield return new("tar: ..", "entry ../evil: its path leads upwards", () => Data("../evil"));
        yield return new("tar: .. inside", "entry a/../../evil: its path leads upwards", () => Data("a/../../evil"));
        yield return new("tar: .. that stays inside", "its path leads upwards", () => Data("a/../evil"));
        yield return new("tar: .. at the end", "its path leads upwards", () => new TarBytes().Dir("a/..").End());
        yield return new("tar: .., GNU name", "entry ../evil: its path leads upwards", () =>
            new TarBytes().Gnu('L', "../evil").Entry("good").End());
        yield return new("tar: .., pax name", "entry ../evil: its path leads upwards", () =>
            new TarBytes().Pax('x', "path=../evil").Entry("good").End());
        yield return new("tar: NUL, pax name", "a NUL is in its name", () => new TarBytes().Pax('x', "path=good\0/evil").Entry("x").End());
        yield return new("tar: sparse, pax 0.1", "entry holes: it is a sparse file", () => new TarBytes()
            .Pax('x', "GNU.sparse.numblocks=1", "GNU.sparse.map=0,1", "GNU.sparse.size=99999").Entry("holes", content: "x").End());
        yield return new("tar: control characters, global key", "it makes no sense", () =>
            new TarBytes().Pax('g', "GNU.sparse.\u001b[2J\n=1").Entry("x").End());
        yield return new("tar: control characters, link name", "leads upwards (..)", () => One("a", '1', "b\u001b[2J/../../c"));
        yield return new("tar: long component", "a name in its path has 256 bytes", () =>
            new TarBytes().Gnu('L', "a/" + Repeat(256)).Entry("x").End());
        yield return new("tar: long path", "its path has 4096 bytes", () =>
            new TarBytes().Pax('x', "path=" + string.Concat(Enumerable.Repeat("0123456789abcde/", 256))).Entry("x").End());
        yield return new("tar: no name", "it has no name", () => Data(string.Empty));
        yield return new("tar: empty pax name", "it has no name", () => new TarBytes().Pax('x', "path=").Entry("x").End());
        yield return new("tar: file in place of the tree", "it would take the place of the whole tree", () => Data("."));
        yield return new("tar: twice", "entry a: there are two entries of this name", () => new TarBytes().Entry("a").Entry("a").End());
        yield return new("tar: twice by ./", "entry ./a: there are two entries of this name", () =>
            new TarBytes().Entry("a").Entry("./a").End());
        yield return new("tar: twice by //", "there are two entries of this name", () => new TarBytes().Entry("d/a").Entry("d//a").End());
        yield return new("tar: link over file", "there are two entries of this name", () =>
            new TarBytes().Entry("a").Entry("a", '2', "/etc").End());
        yield return new("tar: file over link", "there are two entries of this name", () =>
            new TarBytes().Entry("a", '2', Victim).Entry("a", content: "evil").End());
        yield return new("tar: folder over file", "entry a/: there is a folder and something else of this name", () =>
            new TarBytes().Entry("a").Dir("a/").End());
        yield return new("tar: folder over link", "there is a folder and something else of this name", () =>
            new TarBytes().Entry("a", '2', Outside).Dir("a").Entry("a/evil").End());
        yield return new("tar: file over implied folder", "there is a folder and something else of this name", () =>
            new TarBytes().Entry("a/b").Entry("a").End());
        yield return new("tar: path through a file", "its path leads through a file", () => new TarBytes().Entry("a").Entry("a/b").End());
        yield return new("tar: path through a link", "entry a/evil: its path leads through a symbolic link", () =>
            new TarBytes().Entry("a", '2', Outside).Entry("a/evil", content: "evil").End());
        yield return new("tar: path through a pax link", "its path leads through a symbolic link", () =>
            new TarBytes().Pax('x', "linkpath=" + Outside).Entry("a", '2', "b").Entry("a/evil").End());
        yield return new("tar: path through a chain of links", "its path leads through a symbolic link", () =>
            new TarBytes().Entry("a", '2', "b").Entry("b", '2', Outside).Entry("a/evil").End());
        yield return new("tar: path through a hard link to a link", "its path leads through a symbolic link", () =>
            new TarBytes().Entry("a", '2', Outside).Entry("b", '1', "a").Entry("b/evil").End());
        yield return new("tar: hard link out, absolute", $"of what the hard link names, {Victim}: its path is absolute", () =>
            One("a", '1', Victim));
        yield return new("tar: hard link out, ..", "of what the hard link names, ../victim: its path leads upwards", () =>
            One("a", '1', "../victim"));
        yield return new("tar: hard link out, GNU", $"of what the hard link names, {Victim}: its path is absolute", () =>
            new TarBytes().Gnu('K', Victim).Entry("a", '1', "b").End());
        yield return new("tar: hard link out, pax", $"of what the hard link names, {Victim}: its path is absolute", () =>
            new TarBytes().Entry("b").Pax('x', "linkpath=" + Victim).Entry("a", '1', "b").End());
        yield return new("tar: hard link through a link", "its path leads through a symbolic link", () =>
            new TarBytes().Entry("d", '2', Outside).Entry("a", '1', "d/victim").End());
        yield return new("tar: hard link to a later entry", "no earlier entry has the name that the hard link gives: b", () =>
            new TarBytes().Entry("a", '1', "b").Entry("b").End());
        yield return new("tar: hard link to itself", "no earlier entry", () => One("a", '1', "a"));
        yield return new("tar: hard link to a folder", "the hard link names a folder: d", () =>
            new TarBytes().Dir("d").Entry("a", '1', "d").End());
        yield return new("tar: hard link to the tree", "the hard link names a folder: .", () => One("a", '1', "."));
        yield return new("tar: hard link without a name", "it has no name", () => One("a", '1'));
        yield return new("tar: hard link with content", "it makes no sense", () =>
            new TarBytes().Entry("b").Entry("a", '1', "b", "evil").End());
        yield return new("tar: folder with content", "says that 4 bytes of content follow", () => One("a/", content: "evil"));
        yield return new("tar: link without target", "the symbolic link has no target", () => One("a", '2'));
        yield return new("tar: link target with a NUL", "a NUL is in the symbolic link's target", () =>
            new TarBytes().Pax('x', "linkpath=a\0b").Entry("a", '2', "x").End());
        yield return new("tar: link target too long", "target has 4096 bytes", () =>
            new TarBytes().Pax('x', "linkpath=" + Repeat(4096)).Entry("a", '2', "x").End());
        yield return new("tar: character device", "entry a: it is a device", () => One("a", '3'));
        yield return new("tar: block device", "entry a: it is a device", () => One("a", '4'));
        yield return new("tar: fifo", "entry a: it is a fifo", () => One("a", '6'));
        yield return new("tar: unknown type", "its type, Z, is unknown", () => One("a", 'Z'));
        yield return new("tar: sparse, old GNU", "entry a: it is a sparse file", () => One("a", 'S'));
        yield return new("tar: sparse, pax", "entry holes: it is a sparse file", () => new TarBytes().Pax('x', "GNU.sparse.major=1",
            "GNU.sparse.minor=0", "GNU.sparse.name=holes", "GNU.sparse.realsize=99999").Entry("GNUSparseFile.0/a", content: "0\n").End());
        yield return new("tar: volume's rest", "it is the rest of a file", () => One("a", 'M'));
        yield return new("tar: label with content", "entry a: it is a volume's label, and has", () => One("a", 'V', content: "evil"));
        yield return new("tar: label with a long name", "without the entry that it is for", () =>
            new TarBytes().Gnu('L', "b").Entry("a", 'V').End());
        yield return new("tar: many labels", "more than 1048576 bytes of extended headers", ManyLabels);
        yield return new("tar: a folder's names without end", "entry d: the archive holds more than 17179869184 bytes", () =>
            new TarBytes().Raw(Header(Latin("d"), 'D', [], long.MaxValue, 420, 0, [])).End());
        yield return new("tar: wrong sum", "the check sum of its header, at byte 1024, is wrong", () =>
            new TarBytes().Entry("a", content: "x").Raw(Header(Latin("b"), '0', [], 0, 420, 0, [], sumError: 1)).End());
        yield return new("tar: wrong sum of the first", "is wrong", () =>
            new TarBytes().Raw(Header(Latin("b"), '0', [], 0, 420, 0, [], sumError: 1)).End());
        yield return new("tar: no end", "without the two blocks of zeros", () => new TarBytes().Entry("a", content: "x").Bytes());
        yield return new("tar: half an end", "one block of zeros", () => new TarBytes().Entry("a").Raw(new byte[512]).Bytes());
        yield return new("tar: a block of zeros between", "one block of zeros", () =>
            new TarBytes().Entry("a").Raw(new byte[512]).Entry("b").End());
        yield return new("tar: something behind the end", "something is behind the end", () => [.. One("a"), .. Data("evil")]);
        yield return new("tar: cut in a file", "entry a: the archive ends in the middle of it", () =>
            One("a", content: new string('x', 2000))[..1500]);
        yield return new("tar: cut in a header", "in the middle of a header", () =>
            [.. new TarBytes().Entry("a").Bytes(), .. new byte[100]]);
        yield return new("tar: cut behind a pax header", "without the entry", () => new TarBytes().Pax('x', "path=a").End());
        yield return new("tar: size no number", "it makes no sense", () => new TarBytes().Raw(BadSize()).End());
        yield return new("tar: pax time beyond 64 bits", "it makes no sense", () =>
            new TarBytes().Pax('x', "mtime=9223372036854775808").Entry("a").End());
        yield return new("tar: pax size beyond 64 bits", "it makes no sense", () =>
            new TarBytes().Pax('x', "size=18446744073709551617").Entry("a").End());
        yield return new("tar: negative size", "it makes no sense", () =>
            new TarBytes().Raw(Header(Latin("a"), '0', [], -1, 420, 0, [])).End());
        yield return new("tar: negative pax size", "it makes no sense", () =>
            new TarBytes().Pax('x', "size=-5").Entry("a").End());
        yield return new("tar: pax time that is none", "entry a: its pax mtime is no time", () =>
            new TarBytes().Pax('x', "mtime=NaN").Entry("a").End());
        yield return new("tar: pax time that is none, before its path", "entry p: its pax mtime is no time", () =>
            new TarBytes().Pax('x', "mtime=", "path=p").Entry("a").End());
        yield return new("tar: pax size twice", "it makes no sense", () =>
            new TarBytes().Pax('x', "size=1", "size=0").Entry("a", content: "x").End());
        yield return new("tar: empty GNU name", "it has no name", () =>
            new TarBytes().Gnu('L', string.Empty).Entry("a").End());
        yield return new("tar: cut in a pax header", "it ends in the middle of an extended header", () =>
            new TarBytes().Pax('x', "comment=" + Repeat(2000)).Bytes()[..1024]);
        yield return new("tar: size of a pax header no number", "the size of an extended header, at byte 512, is no number", () =>
            new TarBytes().Entry("a").Raw(Header(Latin("p"), 'x', [], -1, 420, 0, [])).End());
        yield return new("tar: pax size larger than the file", "the archive ends in the middle of it", () =>
            new TarBytes().Pax('x', "size=99999").Entry("a", content: "x").End());
        yield return new("tar: size beyond the limit", "holds more than 17179869184 bytes (--limit-bytes)", () =>
            new TarBytes().Raw(Header(Latin("a"), '0', [], 1L << 40, 420, 0, [])).End());
        yield return new("tar: two pax headers", "it makes no sense", () =>
            new TarBytes().Pax('x', "path=good").Pax('x', "path=../evil").Entry("x").End());
        yield return new("tar: GNU and pax names", "entry good: its type, x, is unknown", () =>
            new TarBytes().Gnu('L', "good").Pax('x', "path=../evil").Entry("x").End());
        yield return new("tar: pax names twice", "it makes no sense", () =>
            new TarBytes().Pax('x', "path=good", "path=../evil").Entry("x").End());
        yield return new("tar: GNU names twice", "it makes no sense", () =>
            new TarBytes().Gnu('L', "good").Gnu('L', "../evil").Entry("x").End());
        yield return new("tar: GNU link names twice", "it makes no sense", () =>
            new TarBytes().Gnu('K', "good").Gnu('K', "../evil").Entry("x", '2').End());
        yield return new("tar: damaged pax record", "it makes no sense", () =>
            new TarBytes().Extension('x', "99 path=a\n"u8.ToArray()).Entry("x").End());
        yield return new("tar: pax record without end", "it makes no sense", () =>
            new TarBytes().Extension('x', "8 path=ab"u8.ToArray()).Entry("x").End());
        yield return new("tar: global name", "a global pax header sets the path of all entries, at byte 0", () =>
            new TarBytes().Pax('g', "path=../evil").Entry("x").End());
        yield return new("tar: damaged global record", "it makes no sense", () =>
            new TarBytes().Entry("a").Extension('g', "99 path=a\n"u8.ToArray()).Entry("x").End());
        yield return new("tar: global time that is none", "a global pax header's mtime is no time", () =>
            new TarBytes().Pax('g', "mtime=later").Entry("x").End());
        yield return new("tar: large pax header", "more than 1048576 bytes of extended headers", () =>
            new TarBytes().Pax('x', "comment=" + new string('x', 1 << 20)).Entry("x").End());
        yield return new("tar: many global headers", "more than 1048576 bytes of extended headers", ManyHeaders);
        yield return new("tar: pax header of a terabyte", "more than 1048576 bytes of extended headers", () =>
            new TarBytes().Raw(Header(Latin("p"), 'x', [], 1L << 40, 420, 0, [])).End());
        yield return new("tar: control characters", "entry a\\u001b[2J\\u000ab/../c: its path", () => Data("a\u001b[2J\nb/../c"));
    }

    private static IEnumerable<Evil> Gzips()
    {
        byte[] tar = One("a", content: new string('x', 5000));
        yield return new("gzip: wrong check sum", "or its check sum is wrong", () => GzipBytes.Member(tar, crcError: 1));
        yield return new("gzip: wrong length", "or its check sum is wrong", () => GzipBytes.Member(tar, lengthError: 1));
        yield return new("gzip: second member's check sum", "or its check sum is wrong", () =>
            [.. GzipBytes.Member(tar[..600]), .. GzipBytes.Member(tar[600..], crcError: 1)]);
        yield return new("gzip: first of two's check sum", "or its check sum is wrong", () =>
            [.. GzipBytes.Member(tar[..600], crcError: 1), .. GzipBytes.Member(tar[600..])]);
        yield return new("gzip: bytes before its trailer", "or its check sum is wrong", () =>
            GzipBytes.Member(tar, data: [.. ZipBytes.Deflate(tar), 9]));
        yield return new("gzip: cut in the data", string.Empty, () => GzipBytes.Member(tar)[..^20]);
        yield return new("gzip: only a header", "its compressed data makes no sense", () => GzipBytes.Member(tar)[..10]);
        foreach (int cut in new[] { 1, 4, 8 })   // in the trailer, where the runtime notices nothing
        {
            yield return new($"gzip: without its last {cut} bytes", "or its check sum is wrong", () => GzipBytes.Member(tar)[..^cut]);
            yield return new($"gzip: second member without its last {cut} bytes", "or its check sum is wrong", () =>
                [.. GzipBytes.Member(tar[..600]), .. GzipBytes.Member(tar[600..])[..^cut]]);
        }

        yield return new("gzip: bytes behind its end", "or its check sum is wrong", () => [.. GzipBytes.Member(tar), 1, 2, 3]);
        yield return new("gzip: damaged data", "its compressed data makes no sense", () =>
            GzipBytes.Member(tar, data: [0xff, 0xff, 0xff, 0xff, 0xff]));
        yield return new("gzip: unknown method", "its compressed data makes no sense", () =>
            [0x1f, 0x8b, 7, .. GzipBytes.Member(tar)[3..]]);
        yield return new("gzip: unknown flags", "its compressed data makes no sense", () => GzipBytes.Member(tar, flags: 0x80));
        yield return new("gzip: wrong header sum", "its compressed data makes no sense", () =>
            GzipBytes.Member(tar, flags: 2, header: [1, 2]));
        yield return new("gzip: no tar", "is no tar archive", () => GzipBytes.Member(Encoding.ASCII.GetBytes(new string('x', 2000))));
        yield return new("gzip: tar without end", "without the two blocks of zeros", () =>
            GzipBytes.Member(new TarBytes().Entry("a").Bytes()));
        yield return new("gzip: bomb", "more than 200 : 1 (--limit-ratio N", () => GzipBytes.Member([.. new TarBytes()
            .Raw(Header(Latin("a"), '0', [], 64 << 20, 420, 0, [])).Bytes(), .. new byte[(64 << 20) + 1024]]));
        yield return new("gzip: zeros without end", "more than 200 : 1 (--limit-ratio N", () =>
            GzipBytes.Member([.. One("a"), .. new byte[64 << 20]]));
    }

    private static IEnumerable<Evil> Zips()
    {
        var good = new ZipItem("good", "good");
        yield return new("zip: absolute", $"entry {Target}: its path is absolute", () => ZipBytes.Of(new ZipItem(Target, "x")));
        yield return new("zip: ..", "entry ../evil: its path leads upwards", () => ZipBytes.Of(new ZipItem("../evil", "x")));
        yield return new("zip: .. by backslash", "entry ..\\evil: a backslash is in its name", () =>
            ZipBytes.Of(new ZipItem("..\\evil", "x")));
        yield return new("zip: NUL", "a NUL is in its name", () => ZipBytes.Of(new ZipItem("good\0evil", "x")));
        yield return new("zip: long component", "a name in its path has 300 bytes", () => ZipBytes.Of(new ZipItem(Repeat(300), "x")));
        yield return new("zip: long path", "its path has 8000 bytes", () => ZipBytes.Of(new ZipItem(Repeat(8000), "x")));
        yield return new("zip: no name", "it has no name", () => ZipBytes.Of(new ZipItem(string.Empty, "x")));
        yield return new("zip: twice", "entry a: there are two entries of this name", () =>
            ZipBytes.Of(new ZipItem("a", "1"), new ZipItem("a", "2")));
        yield return new("zip: file and folder", "there is a folder and something else of this name", () =>
            ZipBytes.Of(new ZipItem("a", "1"), Folder("a/")));
        yield return new("zip: path through a link", "its path leads through a symbolic link", () =>
            ZipBytes.Of(Link("a", Outside), new ZipItem("a/evil", "x")));
        yield return new("zip: no UTF-8", "its name is not UTF-8", () => ZipBytes.Of(new ZipItem("a")
        {
            Name = [0xff, 0xfe], Flags = 1 << 11,
        }));
        yield return new("zip: link without target", "symbolic link whose target has 0 bytes", () => ZipBytes.Of(Link("a", string.Empty)));
        yield return new("zip: link with a huge target", "symbolic link whose target has 70000 bytes", () =>
            ZipBytes.Of(Link("a", Repeat(70_000))));
        yield return new("zip: link target with a NUL", "a NUL is in the symbolic link's target", () => ZipBytes.Of(Link("a", "b\0c")));
        yield return new("zip: control characters", "entry a\\u001b[2J\\u000ab/../c: its path", () =>
            ZipBytes.Of(new ZipItem("a\u001b[2J\nb/../c", "x")));
        yield return new("zip: link and folder", "a symbolic link by its mode and a folder by its name", () =>
            ZipBytes.Of(Link("a/", Outside)));
        yield return new("zip: folder without slash", "a folder by its mode and a file by its name", () =>
            ZipBytes.Of(new ZipItem("a") { Mode = 0x41ed }));
        yield return new("zip: folder with content", "it is a folder and has content", () =>
            ZipBytes.Of(new ZipItem("a/", "evil") { Mode = 0x41ed }));
        yield return new("zip: device", "entry a: it is a device", () => ZipBytes.Of(new ZipItem("a") { Mode = 0x21ff }));
        yield return new("zip: fifo", "entry a: it is a fifo", () => ZipBytes.Of(new ZipItem("a") { Mode = 0x11ff }));
        yield return new("zip: fifo that is a folder", "entry a/: it is a folder and has content", () =>
            ZipBytes.Of(new ZipItem("a/", "x") { Mode = 0x11ff }));
        yield return new("zip: socket", "entry a: it is a socket", () => ZipBytes.Of(new ZipItem("a") { Mode = 0xc1ff }));
        yield return new("zip: device with content", "entry a: it is a device", () => ZipBytes.Of(new ZipItem("a", "x") { Mode = 0x21ff }));
        yield return new("zip: wrong check sum", "entry a: its check sum is wrong", () => ZipBytes.Of(new ZipItem("a", "x") { Crc = 1 }));
        yield return new("zip: wrong check sum, stored", "its check sum is wrong", () =>
            ZipBytes.Of(new ZipItem("a", "x") { Crc = 1, Method = 0 }));
        yield return new("zip: longer than it says", "its check sum is wrong", () =>
            ZipBytes.Of(new ZipItem("a", "xxxxx") { Size = 2 }));
        yield return new("zip: shorter than it says", "it has 5 bytes, not the 9", () =>
            ZipBytes.Of(new ZipItem("a", "xxxxx") { Size = 9 }));
        yield return new("zip: stored with two sizes", "it has 5 bytes, not the 9", () =>
            ZipBytes.Of(new ZipItem("a", "xxxxx") { Method = 0, Size = 9 }));
        yield return new("zip: no compressed data", "it has 0 bytes, not the 3", () =>
            ZipBytes.Of(new ZipItem("a", "xyz") { Data = [] }));
        yield return new("zip: damaged data", "its compressed data makes no sense", () => ZipBytes.Of(new ZipItem("a", "xyz")
        {
            Data = [0xff, 0xff, 0xff, 0xff],
        }));
        yield return new("zip: encrypted", "it is encrypted", () => ZipBytes.Of(new ZipItem("a", "x") { Flags = 1 }));
        yield return new("zip: strongly encrypted", "it is encrypted", () => ZipBytes.Of(new ZipItem("a", "x") { Flags = 0x41 }));
        yield return new("zip: bzip2", "compressed in a way that is not read here", () =>
            ZipBytes.Of(new ZipItem("a", "x") { Method = 12 }));
        yield return new("zip: unknown method", "compressed in a way that is not read here", () =>
            ZipBytes.Of(new ZipItem("a", "x") { Method = 77 }));
        yield return new("zip: second disk", "Split or spanned archives are not supported", () =>
            ZipBytes.Of(new ZipItem("a", "x") { Disk = 1 }));
        yield return new("zip: several disks", "Split or spanned archives are not supported", () =>
            new ZipBytes { Disk = 1 }.Add(good).End());
        yield return new("zip: overlap", "its check sum is wrong", () =>
            ZipBytes.Of(new ZipItem("a", "x"), new ZipItem("b", "y") { Place = 0 }));
        yield return new("zip: the same data twice", "there are two entries of this name", () =>
            ZipBytes.Of(new ZipItem("a", "x"), new ZipItem("a", "x") { Place = 0 }));
        yield return new("zip: bytes behind", "something is behind it", () => new ZipBytes { After = [1] }.Add(good).End());
        yield return new("zip: fewer entries than there are", "its directory makes no sense", () =>
            new ZipBytes { Entries = 1 }.Add(good, new ZipItem("evil", "x")).End());
        yield return new("zip: more entries than there are", "its directory makes no sense", () =>
            new ZipBytes { Entries = 3 }.Add(good, new ZipItem("evil", "x")).End());
        yield return new("zip: cut off", "its directory's end is not at the end", () => ZipBytes.Of(good)[..^1]);
        yield return new("zip: 64-bit end elsewhere", "its directory", () => new ZipBytes { Is64 = true, Error64 = -1 }.Add(good).End());
        yield return new("zip: bomb", "more than 200 : 1 (--limit-ratio N", () => ZipBytes.Of(new ZipItem("a")
        {
            Content = new byte[64 << 20],
        }));
        yield return new("zip: claims more than the limit", "holds more than 17179869184 bytes", Huge);
        yield return new("neither", "neither zip nor tar nor tar.gz", () => Encoding.ASCII.GetBytes(new string('x', 3000)));
        yield return new("empty", "it is empty", () => []);
    }

    /// <summary>What the runtime's readers take, and a stricter reader would not: the list of samples/Unpack/README.md.</summary>
    public static IEnumerable<Evil> Taken()
    {
        byte[] tar = One("a", content: new string('x', 5000));
        var good = new ZipItem("good", "good");
        yield return new("tar: NUL, GNU name", string.Empty, () =>
            new TarBytes().Gnu('L', "good\0../evil").Entry("x").End());
        yield return new("tar: NUL, GNU link name", string.Empty, () =>
            new TarBytes().Gnu('K', "good\0../evil").Entry("x", '2').End());
        yield return new("tar: blanks for its mode", string.Empty, () =>
            new TarBytes().Raw(Blanks(100, 8)).End());
        yield return new("tar: blanks for its size", string.Empty, () =>
            new TarBytes().Raw(Blanks(124, 12)).End());
        yield return new("gzip: zeros behind", string.Empty, () =>
            [.. GzipBytes.Member(tar), .. new byte[512]]);
        yield return new("gzip: endless name", string.Empty, () =>
            GzipBytes.Member(tar, flags: 8, header: [.. Encoding.ASCII.GetBytes(new string('n', 2 << 20)), 0]));
        yield return new("zip: Unicode name out", string.Empty, () => ZipBytes.Of(new ZipItem("good", "x")
        {
            Extra = Unicode("good", "../evil"), LocalExtra = Unicode("good", "../evil"),
        }));
        yield return new("zip: Unicode name in one header", string.Empty, () => ZipBytes.Of(new ZipItem("good", "x")
        {
            LocalExtra = Unicode("good", "../evil"),
        }));
        yield return new("zip: Unicode name of another", string.Empty, () => ZipBytes.Of(new ZipItem("good", "x")
        {
            Extra = Unicode("bad", "evil"), LocalExtra = Unicode("bad", "evil"),
        }));
        yield return new("zip: other name in the header", string.Empty, () => ZipBytes.Of(new ZipItem("good", "x")
        {
            LocalName = Latin("evil"),
        }));
        yield return new("zip: other method in the header", string.Empty, () =>
            ZipBytes.Of(new ZipItem("a", "x") { LocalMethod = 0 }));
        yield return new("zip: other flags in the header", string.Empty, () =>
            ZipBytes.Of(new ZipItem("a", "x") { LocalFlags = 8 }));
        yield return new("zip: other time in the header", string.Empty, () =>
            ZipBytes.Of(new ZipItem("a", "x") { LocalTime = 1 }));
        yield return new("zip: other check sum in the header", string.Empty, () =>
            ZipBytes.Of(new ZipItem("a", "x") { LocalCrc = 1 }));
        yield return new("zip: other size in the header", string.Empty, () =>
            ZipBytes.Of(new ZipItem("a", "x") { LocalSize = 77 }));
        yield return new("zip: other compressed size in the header", string.Empty, () =>
            ZipBytes.Of(new ZipItem("a", "x") { LocalCompressed = 77 }));
        yield return new("zip: bytes behind the compressed data", string.Empty, () =>
            ZipBytes.Of(new ZipItem("a", "x") { Data = [.. ZipBytes.Deflate("x"u8.ToArray()), 0, 0, 0] }));
        yield return new("zip: one byte behind the compressed data", string.Empty, () =>
            ZipBytes.Of(new ZipItem("a", "x") { Data = [.. ZipBytes.Deflate("x"u8.ToArray()), 0] }));
        yield return new("zip: compressed data cut off", string.Empty, () => ZipBytes.Of(new ZipItem("a", "xyz")
        {
            Data = ZipBytes.Deflate("xyz"u8.ToArray())[..^1],
        }));
        yield return new("zip: entry inside another", string.Empty, Nested);
        yield return new("zip: gap", string.Empty, () =>
            ZipBytes.Of(new ZipItem("a", "x") { Gap = [1, 2, 3] }, good));
        yield return new("zip: gap before the directory", string.Empty, () =>
            ZipBytes.Of(new ZipItem("a", "x") { Gap = [1, 2, 3] }));
        yield return new("zip: hidden entry", string.Empty, () => ZipBytes.Of(new ZipItem("a", "x")
        {
            Gap = ZipBytes.Of(new ZipItem("evil", "x"))[..40],
        }, good));
        yield return new("zip: bytes before", string.Empty, () => new ZipBytes
        {
            Before = Latin("#!/bin/"),
        }.Add(good).End());
        yield return new("zip: bytes before the end", string.Empty, () => new ZipBytes
        {
            BetweenDirectoryAndEnd = [1, 2],
        }.Add(good).End());
        yield return new("zip: directory too short", string.Empty, () =>
            new ZipBytes { DirectorySizeError = -1 }.Add(good).End());
        yield return new("zip: two ends", string.Empty, () => new ZipBytes
        {
            Comment = new ZipBytes().End(),
        }.Add(good).End());
        yield return new("zip: descriptor wrong", string.Empty, () => ZipBytes.Of(new ZipItem("a", "x")
        {
            Flags = 8, Descriptor = new byte[12],
        }));
        yield return new("zip: descriptor missing", string.Empty, () =>
            ZipBytes.Of(new ZipItem("a", "x") { Flags = 8 }));
        yield return new("zip: extra fields cut off", string.Empty, () => ZipBytes.Of(new ZipItem("a", "x")
        {
            Extra = [1, 0, 9, 0, 1], LocalExtra = [1, 0, 9, 0, 1],
        }));
    }

    public static IEnumerable<TestCaseData> TakenCases() => Taken().Select(one => new TestCaseData(one).SetArgDisplayNames(one.Name));

    private static ZipItem Folder(string name) => new(name) { Mode = 0x41ed };

    private static ZipItem Link(string name, string target) => new(name, target) { Mode = 0xa1ff };

    private static byte[] Unicode(string forName, string name)
    {
        byte[] text = Encoding.UTF8.GetBytes(name);
        return [0x75, 0x70, (byte)(text.Length + 5), 0, 1, .. BitConverter.GetBytes(ZipBytes.Crc(Encoding.UTF8.GetBytes(forName))),
            .. text];
    }

    private static byte[] Nested()
    {
        byte[] inner = ZipBytes.Of(new ZipItem("evil", "x") { Method = 0 });
        byte[] local = inner[..35];
        return ZipBytes.Of(new ZipItem("outer") { Method = 0, Content = local }, new ZipItem("evil", "x") { Method = 0, Place = 35 });
    }

    private static byte[] Huge()
    {
        const long Claim = 1L << 40;
        byte[] sizes = [1, 0, 8, 0, .. BitConverter.GetBytes(Claim)];
        return ZipBytes.Of(new ZipItem("a", "x")
        {
            Size = uint.MaxValue, Extra = sizes, LocalExtra = [1, 0, 16, 0, .. BitConverter.GetBytes(Claim), .. BitConverter.GetBytes(3L)],
        });
    }

    private static byte[] ManyHeaders()
    {
        var tar = new TarBytes();
        for (int i = 0; i < 2000; i++)
        {
            tar.Pax('g', "comment=x");
        }

        return tar.Entry("a").End();
    }

    private static byte[] ManyLabels()
    {
        var tar = new TarBytes();
        for (int i = 0; i < 2100; i++)
        {
            tar.Entry("label", 'V');
        }

        return tar.Entry("a").End();
    }

    private static byte[] Blanks(int at, int length)
    {
        byte[] block = Header(Latin("a"), '0', [], 0, 420, 0, []);
        block.AsSpan(at, length).Fill((byte)' ');
        return Sum(block);
    }

    private static byte[] BadSize()
    {
        byte[] block = Header(Latin("a"), '0', [], 0, 420, 0, []);
        "12x45678901 "u8.CopyTo(block.AsSpan(124));
        return Sum(block);
    }

    private static string Repeat(int length) => string.Concat(Enumerable.Repeat(LongName, (length / LongName.Length) + 1))[..length];
}
