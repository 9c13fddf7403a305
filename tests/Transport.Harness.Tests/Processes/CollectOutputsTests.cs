using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using BuildHarness.Collecting;
using NUnit.Framework;
using Transport;
using Transport.Testing;
using Transport.Testing.Disks;

namespace BuildHarness.Tests.Processes;

/// <summary><c>build --collect-outputs</c> of real builds.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class CollectOutputsTests
{
    private TemporaryFolder _folder = null!;

    private string Target => Path.Combine(_folder.Path, "out");

    [SetUp]
    public void Make() => _folder = new TemporaryFolder();

    [TearDown]
    public void Remove() => _folder.Dispose();

    [Promise("Files", "`--collect-outputs` publishes the outputs of one whole build, or leaves the folder as it was.")]
    [Test]
    public async Task Every_projects_output_folder_is_collected_byte_for_byte_and_replaces_the_earlier_collection()
    {
        string sources = Path.Combine(_folder.Path, "src");
        int libraries = Nightly.Rounds(nightly: 6, otherwise: 1);
        string solution = new SolutionWriter(libraries, layers: 1).Write(sources);
        using Harness first =
            await Harness.RunAsync("build", solution, "--nodes", "2", "--collect-outputs", Target, "--summary", "{summary}");
        ExpectCollected(first, sources, projects: libraries + 1);

        _folder.File("out/Lib01/stale", "of the first");
        _folder.File("src/App/bin/Debug/net10.0/de/made.by.hand", "a user's, and in the output folder");
        using Harness second = await Harness.RunAsync(
            "build", solution, "--nodes", "2", "--no-restore", "--collect-outputs", Target, "--summary", "{summary}");
        ExpectCollected(second, sources, projects: libraries + 1);
        Assert.That(File.Exists(Path.Combine(Target, "Lib01", "stale")), Is.False);
        Assert.That(Directory.EnumerateFileSystemEntries(_folder.Path), Has.Exactly(2).Items, "no staging is left");
        foreach (JsonElement node in second.Summary().GetProperty("nodes").EnumerateArray())
        {
            BuildTests.AssertExact(node);
        }
    }

    [Test]
    public async Task A_build_that_fails_leaves_the_earlier_collection_as_it_is()
    {
        string solution = One(
            "<Target Name=\"Fail\" BeforeTargets=\"CoreCompile\" Condition=\"'$(Breaks)' == '1'\"><Error Text=\"no\" /></Target>");
        using Harness first = await Harness.RunAsync("build", solution, "--nodes", "1", "--no-restore", "--collect-outputs", Target);
        string[] before = Files(Target);
        using Harness second = await Harness.RunAsync(
            "build", solution, "--nodes", "1", "--no-restore", "-p:Breaks=1", "--collect-outputs", Target, "--summary", "{summary}");

        Assert.That((first.ExitCode, second.ExitCode), Is.EqualTo((0, 1)), () =>
            string.Join('\n', [.. first.Output, .. second.Output, .. second.Errors]));
        Assert.That(Files(Target), Is.EqualTo(before).And.Not.Empty);
        Assert.That(second.Output, Has.One.EqualTo($"nothing is collected in {Target}: the build failed"));
        JsonElement collected = second.Summary().GetProperty("collected");
        Assert.That((collected.GetProperty("published").GetBoolean(), collected.GetProperty("failure").GetString(),
            collected.GetProperty("files").GetInt64()), Is.EqualTo((false, "the build failed", 0L)));
        ExpectNoStaging();
    }

    [Promise("Files", "A worker killed in the middle of a file leaves nothing of that file.")]
    [Test]
    public async Task A_worker_that_is_killed_in_the_middle_of_a_file_leaves_nothing_of_it()
    {
        // The build makes a file that takes long to send; before the second worker sends it, it is a small one.
        string flag = Path.Combine(_folder.Path, "flag"), big = Path.Combine(_folder.Path, "A", "bin", "Debug", "net10.0", "big");
        string solution = One(After($"truncate -s 8G $(OutDir)big; echo $PPID > {flag}"));
        using Harness run = Harness.Start(
            "build", solution, "--nodes", "1", "--no-restore", "--collect-outputs", Target, "--summary", "{summary}");
        await Wait.UntilAsync(() => Half() > 0, "the large file is on its way");
        int worker = int.Parse(File.ReadAllText(flag), CultureInfo.InvariantCulture);
        Harness.Kill(worker, "STOP");
        File.Delete(big);
        File.WriteAllText(big, "small");
        Harness.Kill(worker, "KILL");
        await run.EndAsync();

        Assert.That(run.ExitCode, Is.Zero, () => string.Join('\n', [.. run.Output, .. run.Errors]));
        JsonElement project = run.Summary().GetProperty("projects").EnumerateArray().Single();
        Assert.That((project.GetProperty("result").GetString(), project.GetProperty("attempts").GetInt32()), Is.EqualTo(("succeeded", 1)));
        Assert.That(File.ReadAllText(Path.Combine(Target, "A", "big")), Is.EqualTo("small"));
        ExpectSame(Path.Combine(_folder.Path, "A", "bin", "Debug", "net10.0"), Path.Combine(Target, "A"));
        ExpectNoStaging();

        long Half() => Directory.EnumerateDirectories(_folder.Path, ".out.*")
            .SelectMany(s => Directory.EnumerateFiles(s, "big", SearchOption.AllDirectories)).Sum(f => new FileInfo(f).Length);
    }

    /// <summary>In a group's shared folder too, whose setgid bit every folder made in it inherits.</summary>
    [Test]
    public async Task What_a_killed_build_left_is_removed_by_the_next_build_into_its_folder_and_by_no_other([Values] bool isShared)
    {
        string flag = Path.Combine(_folder.Path, "flag");
        string solution = One(After($"touch {flag}; while [ -e {flag} ]; do sleep 0.1; done"));
        if (isShared && OperatingSystem.IsLinux())
        {
            File.SetUnixFileMode(_folder.Path, File.GetUnixFileMode(_folder.Path) | UnixFileMode.SetGroup);
        }

        using Harness run = Harness.Start("build", solution, "--nodes", "1", "--no-restore", "--collect-outputs", Target);
        await Wait.UntilAsync(() => File.Exists(flag), "the project is being built");
        using (CollectionTarget beside = CollectionTarget.Open(Target))
        {
            Assert.That((beside.Remark, Stagings()), Is.EqualTo(((string?)null, 2)), "the other build lives");
        }

        Harness.Kill(run.ProcessId, "KILL");
        await run.EndAsync();
        File.Delete(flag);
        using (CollectionTarget other = CollectionTarget.Open(Path.Combine(_folder.Path, "other")))
        {
            Assert.That((other.Remark, Stagings()), Is.EqualTo(((string?)null, 1)), "it is not of that folder");
        }

        using (CollectionTarget next = CollectionTarget.Open(Target))
        {
            Assert.That(next.Remark, Does.EndWith("removed what 1 killed run had left"));
            Assert.That(Stagings(), Is.EqualTo(1), "its own");
        }

        ExpectNoStaging();

        int Stagings() => Directory.GetDirectories(_folder.Path, ".out.*").Length;
    }

    [TestCase("INT", 130)]
    [TestCase("HUP", 129)]
    public async Task An_interrupted_build_publishes_nothing(string signal, int exitCode)
    {
        if (signal == "HUP")
        {
            Nightly.Only("a second interrupted build");
        }

        string flag = Path.Combine(_folder.Path, "flag");
        using Harness run = Harness.Start(
            "build", One(After($"printf large > $(OutDir)big; touch {flag}; exec sleep 120")), "--nodes", "1", "--no-restore",
            "--collect-outputs", Target, "--summary", "{summary}");
        await Wait.UntilAsync(() => File.Exists(flag), "the project is being built");
        Harness.Kill(run.ProcessId, signal);
        await run.EndAsync();

        Assert.That(run.ExitCode, Is.EqualTo(exitCode), () => string.Join('\n', [.. run.Output, .. run.Errors]));
        Assert.That(run.Output, Has.One.EqualTo($"nothing is collected in {Target}: the build was interrupted"));
        Assert.That(Directory.Exists(Target), Is.False);
        ExpectNoStaging();
    }

    [Test]
    public async Task A_disk_that_is_full_is_one_line_and_nothing_half_published()
    {
        using SmallFileSystem disk = await SmallFileSystem.MountAsync(Path.Combine(_folder.Path, "disk"), "size=2m");
        string target = Path.Combine(disk.Path, "out");
        using Harness run = await Harness.RunAsync(
            "build", One(After("head -c 8000000 /dev/zero > $(OutDir)big")), "--nodes", "1", "--no-restore",
            "--collect-outputs", target, "--summary", "{summary}");

        ExpectFailed(run, target, "'A/big'");
        Assert.That(run.Errors[0], Does.Contain("ENOSPC"));
        Assert.That(run.Output[^1], Does.StartWith("failed: 1 project (all built), "), "how the build itself went");
        Assert.That(Directory.EnumerateFileSystemEntries(disk.Path), Is.Empty);
    }

    [Test]
    public async Task What_is_no_file_is_named()
    {
        using Harness run = await Harness.RunAsync(
            "build", One(After("mkfifo $(OutDir)pipe")), "--nodes", "1", "--no-restore", "--collect-outputs", Target,
            "--summary", "{summary}");

        ExpectFailed(run, Target, "A (net10.0): pipe: it is neither file nor folder.");
        Assert.That(Directory.Exists(Target), Is.False);
        ExpectNoStaging();
    }

    [Test]
    public async Task A_place_that_cannot_be_is_reported_before_anything_is_built()
    {
        string solution = One(string.Empty);
        _folder.File("out/mine", "mine");
        using Harness run = await Harness.RunAsync("build", solution, "--collect-outputs", Target, "--summary", "{summary}");

        ExpectFailed(run, Target, "it is not empty and no earlier collection");
        Assert.That(Directory.Exists(Path.Combine(_folder.Path, "A", "obj")), Is.False);
        Assert.That(Files(Target), Is.EqualTo(new[] { "mine" }));
    }

    [Test]
    public async Task Of_an_output_folder_that_projects_share_each_gets_what_it_wrote()
    {
        string shared = Path.Combine(_folder.Path, "shared/");
        Sdk("A", string.Empty);
        string project = Sdk("B", "<ItemGroup><ProjectReference Include=\"../A/A.csproj\" /></ItemGroup>");
        _folder.File("shared/somebody.else", "not of this build");
        using Harness run = await Harness.RunAsync(
            "build", project, "--nodes", "2", $"-p:OutDir={shared}", "--collect-outputs", Target, "--summary", "{summary}");

        Assert.That(run.ExitCode, Is.Zero, () => string.Join('\n', [.. run.Output, .. run.Errors]));
        Assert.That(Files(Target), Is.EqualTo(new[]
        {
            ".buildharness-collection", "A/A.deps.json", "A/A.dll", "A/A.pdb", "B/B.deps.json", "B/B.dll", "B/B.pdb",
        }), "A.dll is where B would have copied it");
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task Of_two_builds_that_collect_into_one_folder_at_once_one_wins_whole(bool replaces)
    {
        if (!replaces)
        {
            Nightly.Only("two more real builds");
        }

        const int Files = 300;
        string[] names = ["X", "Y"], flags = [.. names.Select(name => Path.Combine(_folder.Path, "flag" + name))];

        // Each makes its files and waits for the other, so that both have begun before either publishes.
        string[] solutions = [.. names.Select((name, i) => One(After($"for i in `seq {Files}`; do echo {name} > $(OutDir)f$i; done; touch "
            + $"{flags[i]}; for i in `seq 2000`; do [ -e {flags[1 - i]} ] &amp;&amp; break; sleep 0.1; done"), name))];
        if (replaces)
        {
            File.WriteAllText(flags[1], string.Empty);
            using Harness earlier = await Harness.RunAsync(
                "build", solutions[0], "--nodes", "1", "--no-restore", "--collect-outputs", Target);
            Assert.That(earlier.ExitCode, Is.Zero, () => string.Join('\n', [.. earlier.Output, .. earlier.Errors]));
            Array.ForEach(flags, File.Delete);
        }

        Harness[] runs = await Task.WhenAll(
            solutions.Select(one => Harness.RunAsync("build", one, "--nodes", "1", "--no-restore", "--collect-outputs", Target)));

        string all = string.Join('\n', runs.SelectMany(run => run.Output.Concat(run.Errors)));
        Assert.That(runs.Count(run => run.ExitCode == 0), Is.InRange(1, 2), all);
        foreach (Harness run in runs.Where(run => run.ExitCode != 0))
        {
            Assert.That((run.ExitCode, run.Errors.Length), Is.EqualTo((1, 1)), all);
            Assert.That(run.Errors[0],
                Is.EqualTo($"buildharness: --collect-outputs {Target}: something else has taken its place meanwhile.").Or.EqualTo(
                $"buildharness: --collect-outputs {Target}: publish '{Target}': something has appeared there meanwhile."));
            Assert.That(run.Output, Has.One.StartsWith("failed: 1 project,").Or.One.StartsWith("failed: 1 project "),
                "its build is reported nevertheless");
        }

        string[] said = [.. Directory.GetFiles(Path.Combine(Target, "A"), "f*").Select(File.ReadAllText).Distinct()];
        Assert.That((said.Length, Directory.GetFiles(Path.Combine(Target, "A"), "f*").Length), Is.EqualTo((1, Files)), "all of one");
        Assert.That(runs[Array.IndexOf(names, said[0].Trim())].ExitCode, Is.Zero, "of one that has won");
        ExpectSame(Path.Combine(_folder.Path, said[0].Trim(), "A", "bin", "Debug", "net10.0"), Path.Combine(Target, "A"));
        ExpectNoStaging();
        Array.ForEach(runs, run => run.Dispose());
    }

    private static string After(string command) => $"<Target Name=\"More\" AfterTargets=\"Build\"><Exec "
        + $"Command=\"{command.Replace("\"", "&quot;", StringComparison.Ordinal).Replace(">", "&gt;", StringComparison.Ordinal)}\" "
        + "/></Target>";

    private static string[] Files(string folder) => [.. Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories)
        .Select(f => Path.GetRelativePath(folder, f)).Order(StringComparer.Ordinal)];

    private static void ExpectSame(string built, string collected)
    {
        Assert.That(Files(collected), Is.EqualTo(Files(built)).And.Not.Empty);
        foreach (string file in Files(built))
        {
            var one = new FileInfo(Path.Combine(built, file));
            var other = new FileInfo(Path.Combine(collected, file));
            Assert.That(File.ReadAllBytes(other.FullName).AsSpan().SequenceEqual(File.ReadAllBytes(one.FullName)), file);
            Assert.That((other.UnixFileMode, other.LastWriteTimeUtc), Is.EqualTo((one.UnixFileMode, one.LastWriteTimeUtc)), file);
        }
    }

    private static void ExpectFailed(Harness run, string target, string why)
    {
        Assert.That(run.ExitCode, Is.EqualTo(1), () => string.Join('\n', [.. run.Output, .. run.Errors]));
        Assert.That(run.Errors, Has.Length.EqualTo(1), () => string.Join('\n', run.Errors));
        Assert.That(run.Errors[0], Does.StartWith($"buildharness: --collect-outputs {target}: ").And.Contain(why));
        JsonElement summary = run.Summary(), collected = summary.GetProperty("collected");
        Assert.That((summary.GetProperty("result").GetString(), collected.GetProperty("directory").GetString(),
            collected.GetProperty("published").GetBoolean()), Is.EqualTo(("failed", target, false)));
        Assert.That(collected.GetProperty("failure").GetString(), Is.EqualTo(run.Errors[0]["buildharness: ".Length..]));
    }

    private void ExpectCollected(Harness run, string sources, int projects)
    {
        Assert.That(run.ExitCode, Is.Zero, () => string.Join('\n', [.. run.Output, .. run.Errors]));
        JsonElement collected = run.Summary().GetProperty("collected");
        JsonElement[] folders = [.. collected.GetProperty("projects").EnumerateArray()];
        Assert.That(folders, Has.Length.EqualTo(projects));
        foreach (JsonElement folder in folders)
        {
            string name = folder.GetProperty("folder").GetString()!;
            Assert.That(name, Is.EqualTo(Path.GetFileNameWithoutExtension(folder.GetProperty("path").GetString())));
            ExpectSame(Path.Combine(sources, name, "bin", "Debug", "net10.0"), Path.Combine(Target, name));
            Assert.That(folder.GetProperty("files").GetInt64(), Is.EqualTo(Files(Path.Combine(Target, name)).Length));
        }

        string[] all = [.. Files(Target).Where(f => f != CollectionTarget.Marker)];
        long bytes = all.Sum(f => new FileInfo(Path.Combine(Target, f)).Length);
        Assert.That((collected.GetProperty("directory").GetString(), collected.GetProperty("published").GetBoolean(),
            collected.GetProperty("failure").ValueKind), Is.EqualTo((Target, true, JsonValueKind.Null)));
        Assert.That((collected.GetProperty("files").GetInt64(), collected.GetProperty("bytes").GetInt64()),
            Is.EqualTo(((long)all.Length, bytes)));
        Assert.That(run.Output,
            Has.One.EqualTo(string.Create(CultureInfo.InvariantCulture, $"collected {all.Length} files, {bytes} bytes in {Target}")));
    }

    private void ExpectNoStaging() => Assert.That(Directory.EnumerateFileSystemEntries(_folder.Path, ".out.*"), Is.Empty);

    private string Sdk(string name, string more)
    {
        _folder.File($"{name}/{name}.cs", $"public class {name} {{ }}\n");
        return _folder.File($"{name}/{name}.csproj", "<Project Sdk=\"Microsoft.NET.Sdk\">"
            + $"<PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>{more}</Project>");
    }

    /// <summary>One project, with something more in it.</summary>
    private string One(string more, string folder = "") => PlainProjects.Write(_folder, Path.Combine(folder, "A"), more);
}
