using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using BuildHarness.Tests.Archives;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Extract;

/// <summary>Another process of the same user moves folders of the staging away while they are filled, and puts links in their
/// places.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class RaceTests
{
    private const int Folders = 20, Files = 4000;
    private static readonly int Rounds = Nightly.Rounds(nightly: 12, otherwise: 4);

    /// <summary>Reports each folder that it has replaced; two names deep, so that there are paths through it.</summary>
    private const string Attacker = """
        import glob, os, sys
        where, outside = sys.argv[1:]
        print("ready", flush=True)
        while True:
            for path in glob.glob(where + "/.target.*/target/d*") + glob.glob(where + "/.target.*/target/d*/in"):
                try:
                    if not os.path.islink(path) and not path.endswith(".moved"):
                        os.rename(path, path + ".moved")
                        os.symlink(outside, path)
                        print(path, flush=True)
                except OSError:
                    pass
        """;

    [Test]
    public async Task A_process_that_puts_links_in_place_of_folders_gets_nothing_outside()
    {
        if (Extracting.Find("python3") is not { } python)
        {
            Assert.Ignore("needs python3");
            return;
        }

        using var folder = new TemporaryFolder();
        string archive = Path.Combine(folder.Path, "archive"), outside = Path.GetDirectoryName(folder.File("outside/f0", "untouched"))!;
        string script = folder.File("attacker.py", Attacker),
            where = Directory.CreateDirectory(Path.Combine(folder.Path, "where")).FullName, target = Path.Combine(where, "target");
        File.WriteAllBytes(archive, Archive());
        int replaced = 0, published = 0;
        var start = new ProcessStartInfo(python, [script, where, outside]) { RedirectStandardOutput = true, UseShellExecute = false };
        using Process attacker = Process.Start(start)!;
        try
        {
            Assert.That(await attacker.StandardOutput.ReadLineAsync(), Is.EqualTo("ready"));
            Task<int> count = CountAsync(attacker.StandardOutput);
            for (int i = 0; i < Rounds; i++)
            {
                using Harness extract = await Harness.RunAsync("extract", archive, target, "--writers", $"{i % 4}");

                Assert.That(extract.ExitCode, Is.InRange(0, 1));
                Assert.That(extract.Errors, Has.Length.EqualTo(extract.ExitCode), string.Join('\n', extract.Errors));
                Assert.That(File.Exists(Path.Combine(target, "d0/in/f0")), Is.EqualTo(extract.ExitCode == 0));
                if (extract.ExitCode == 0)
                {
                    published++;
                    Assert.That(Directory.EnumerateFiles(target, "*", SearchOption.AllDirectories).Count(), Is.EqualTo(Files),
                        "what is published is whole");
                    Directory.Delete(target, recursive: true);
                }

                Assert.That(Directory.EnumerateFileSystemEntries(outside, "*", SearchOption.AllDirectories).Select(Path.GetFileName)
                    .Order(StringComparer.Ordinal), Is.EqualTo(new[] { "f0" }));
                Assert.That(File.ReadAllText(Path.Combine(outside, "f0")), Is.EqualTo("untouched"));
            }

            attacker.Kill();
            replaced = await count;
        }
        finally
        {
            if (!attacker.HasExited)
            {
                attacker.Kill();
            }
        }

        TestContext.Out.WriteLine($"{replaced} folders replaced, {published} of {Rounds} published");
        Assert.That(replaced, Is.Positive, "the attacker never came in between");
    }

    private static async Task<int> CountAsync(StreamReader lines)
    {
        int count = 0;
        while (await lines.ReadLineAsync() is not null)
        {
            count++;
        }

        return count;
    }

    /// <summary>Entry by entry in another folder, so that each is opened again and again.</summary>
    private static byte[] Archive()
    {
        var tar = new TarBytes();
        for (int i = 0; i < Files; i++)
        {
            tar.Entry($"d{i % Folders}/in/f{i}", content: $"content {i}");
        }

        return tar.End();
    }
}
