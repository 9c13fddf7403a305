using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using BuildHarness.Tests.Archives;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Extract;

/// <summary>Archives that other programs made, of what this machine has; TRANSPORT_ARCHIVES names a folder with more (.deb, tar, tar.gz,
/// zip, nupkg).</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class RealArchiveTests
{
    private static readonly int Many = Nightly.Rounds(nightly: 12, otherwise: 3);
    private static readonly string Packages = Environment.GetEnvironmentVariable("NUGET_PACKAGES")
        ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");

    [Test]
    public async Task Packages_of_the_local_cache_come_out_as_by_unzip()
    {
        Need("unzip");
        string[] packages = Directory.Exists(Packages)
            ? [.. Directory.EnumerateFiles(Packages, "*.nupkg", SearchOption.AllDirectories).OrderBy(f => new FileInfo(f).Length)] : [];
        if (packages.Length == 0)
        {
            Assert.Ignore("there is no NuGet package cache");
        }

        // From the smallest to the largest of a few MB.
        string[] small = [.. packages.TakeWhile(f => new FileInfo(f).Length < 4 << 20)];
        IEnumerable<string> chosen = Enumerable.Range(0, Many).Select(i => small[(small.Length - 1) * i / (Many - 1)]);
        foreach (string package in chosen.Distinct(StringComparer.Ordinal))
        {
            TestContext.Out.WriteLine(package);
            using var folder = new TemporaryFolder();
            await Trees.CompareAsync(package, folder.Path);
        }
    }

    [TestCase("v7", false)]
    [TestCase("ustar", true)]
    [TestCase("gnu", false)]
    [TestCase("gnu", true)]
    [TestCase("posix", false)]
    [TestCase("posix", true)]
    public async Task What_tar_makes_comes_out_as_by_tar(string format, bool gzipped)
    {
        Need("tar");
        using var folder = new TemporaryFolder();
        await MakeTreeAsync(folder.Path, longNames: format is "gnu" or "posix");
        string archive = Path.Combine(folder.Path, "a.tar");
        (int exitCode, string said) = await Extracting.RunAsync(
            "tar", folder.Path, "--format=" + format, gzipped ? "-czf" : "-cf", archive, "-C", folder.Path, "tree");
        Assert.That(exitCode, Is.Zero, said);

        await Trees.CompareAsync(archive, folder.Path);
    }

    [Test]
    public async Task What_zip_makes_comes_out_as_by_unzip([Values("-r", "-ry", "-rX", "-r0")] string how)
    {
        Need("zip", "unzip");
        using var folder = new TemporaryFolder();
        await MakeTreeAsync(folder.Path, longNames: true);
        (int exitCode, string said) = await Extracting.RunAsync("zip", folder.Path, "-q", how, "a.zip", "tree");
        Assert.That(exitCode, Is.Zero, said);

        await Trees.CompareAsync(Path.Combine(folder.Path, "a.zip"), folder.Path);
    }

    [Test]
    public async Task What_npm_packs_comes_out_as_by_tar()
    {
        Need("npm", "tar");
        using var folder = new TemporaryFolder();
        folder.File("tree/package.json", "{ \"name\": \"packed\", \"version\": \"1.0.0\", \"bin\": \"run\" }");
        folder.File("tree/run", "#!/usr/bin/env node\n");
        folder.File($"tree/lib/{string.Join('/', Enumerable.Repeat("a-directory", 12))}/größe.js", new string('x', 100_000));
        (int exitCode, string said) = await Extracting.RunAsync(
            "npm", Path.Combine(folder.Path, "tree"), "pack", "--offline", "--ignore-scripts", "--pack-destination", folder.Path);
        Assert.That(exitCode, Is.Zero, said);

        await Trees.CompareAsync(Path.Combine(folder.Path, "packed-1.0.0.tgz"), folder.Path);
    }

    [Test]
    public async Task What_the_machine_has_in_its_own_folders_comes_out_as_by_tar()
    {
        Need("tar");
        string[] folders = [.. new[] { "/usr/share/zoneinfo/Europe", "/usr/share/zoneinfo/right", "/etc/ssl", "/usr/share/perl5/Dpkg",
            "/usr/lib/python3/dist-packages/msgpack" }.Where(Directory.Exists)];
        if (folders.Length == 0)
        {
            Assert.Ignore("this machine has none of the folders");
        }

        foreach (string source in folders)
        {
            TestContext.Out.WriteLine(source);
            using var folder = new TemporaryFolder();
            string archive = Path.Combine(folder.Path, "a.tar.gz");
            (int exitCode, string said) =
                await Extracting.RunAsync("tar", folder.Path, "--format=posix", "-czf", archive, "-C", source, ".");
            Assert.That(exitCode, Is.Zero, said);
            await Trees.CompareAsync(archive, folder.Path);
        }
    }

    [Test]
    public async Task More_archives_come_out_as_by_tar_and_unzip()
    {
        IEnumerable<string> more = Environment.GetEnvironmentVariable("TRANSPORT_ARCHIVES") is { Length: > 0 } named
            ? Directory.EnumerateFiles(named) : [];
        IEnumerable<string> cached = Directory.Exists("/var/cache/apt/archives")
            ? Directory.EnumerateFiles("/var/cache/apt/archives", "*.deb").Take(5) : [];
        Need("tar", "unzip", "dpkg-deb");
        using var own = new TemporaryFolder();
        string[] all = [.. more, .. cached, await MakePackageAsync(own)];
        foreach (string archive in all)
        {
            TestContext.Out.WriteLine(archive);
            using var folder = new TemporaryFolder();
            string plain = archive;
            if (archive.EndsWith(".deb", StringComparison.Ordinal))
            {
                plain = Path.Combine(folder.Path, "data.tar");
                (int exitCode, string said) =
                    await Extracting.RunAsync("sh", folder.Path, "-c", "dpkg-deb --fsys-tarfile \"$0\" > \"$1\"", archive, plain);
                Assert.That(exitCode, Is.Zero, said);
            }

            await Trees.CompareAsync(plain, folder.Path);
        }
    }

    [Test]
    public async Task Odd_names_come_out_as_they_are()
    {
        Need("tar");
        using var folder = new TemporaryFolder();
        string archive = Path.Combine(folder.Path, "a.tar");
        File.WriteAllBytes(archive, new TarBytes().Dir(" d/").Entry(" d/-rf", content: "1").Entry("l", '2', "\\x y")
            .Entry("back\\slash\tand tab", content: "2").End());

        await Trees.CompareAsync(archive, folder.Path);
    }

    /// <summary>A Debian package of the tree.</summary>
    private static async Task<string> MakePackageAsync(TemporaryFolder folder)
    {
        await MakeTreeAsync(folder.Path, longNames: true);
        folder.File("tree/DEBIAN/control",
            "Package: packed\nVersion: 1\nArchitecture: all\nMaintainer: nobody <nobody@example.org>\nDescription: a tree\n");
        string package = Path.Combine(folder.Path, "packed.deb");
        (int exitCode, string said) =
            await Extracting.RunAsync("dpkg-deb", folder.Path, "--root-owner-group", "-Zgzip", "--build", "tree", package);
        Assert.That(exitCode, Is.Zero, said);
        return package;
    }

    private static void Need(params string[] programs)
    {
        foreach (string program in programs.Where(p => Extracting.Find(p) is null))
        {
            Assert.Ignore($"needs {program}");
        }
    }

    /// <summary>A tree with every kind of entry, times with fractions, odd modes and names.</summary>
    private static async Task MakeTreeAsync(string folder, bool longNames)
    {
        string script = """
            umask 022; mkdir -p tree/sub/deeper "tree/a b" tree/closed
            printf 'some text\n' > tree/sub/file; head -c 300000 /dev/urandom > tree/large; : > tree/empty; printf x > "tree/a b/c d"
            printf '#!/bin/sh\n' > tree/run; chmod 755 tree/run; chmod 600 tree/empty; chmod 4755 tree/sub/file; chmod 666 tree/large
            ln -s ../anywhere tree/sub/away; ln -s /etc/passwd tree/absolute; ln -s sub tree/tosub
            ln tree/sub/file tree/hard; ln tree/large tree/sub/deeper/hard2
            printf y > tree/closed/in; touch -d '2001-02-03 04:05:06.123456789' tree/large; touch -d '1999-12-31 23:59:58' tree/sub/deeper
            printf z > 'tree/größe'; chmod 555 tree/closed
            """;
        if (longNames)
        {
            string name = new('n', 120), deep = string.Join('/', Enumerable.Repeat("directory-of-some-length", 12));
            script += $"\nprintf l > tree/{name}; mkdir -p tree/{deep}; printf d > tree/{deep}/{name}; ln -s {deep}/{name} tree/long-link";
        }

        (int exitCode, string said) = await Extracting.RunAsync("sh", folder, "-ec", script);
        Assert.That(exitCode, Is.Zero, said);
    }
}
