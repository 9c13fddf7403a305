using System;
using System.IO;
using System.Threading.Tasks;
using BuildHarness.Tests.Archives;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Processes;

/// <summary>Too few file descriptors or threads: one line that names the limit.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class LimitTests
{
    /// <summary>With fewer than about 22, the runtime itself ends before any code of this program, in its own words ("Failed to load JIT
    /// compiler"); the exact number depends on what the program inherits.</summary>
    [Test]
    public async Task Few_descriptors_are_one_line_that_says_how_many_it_needs([Values(24, 32, 64, 127)] int limit,
        [Values] bool extracts)
    {
        using var folder = new TemporaryFolder();
        string[] arguments = extracts ? ["extract", Archive(folder), Path.Combine(folder.Path, "out")] : ["run", "--", "/bin/echo", "hi"];
        using Harness run = await Harness.RunUnderAsync($"ulimit -n {limit}", arguments);

        string expected = $"buildharness: only {limit} file descriptors are allowed (ulimit -n), and it needs at least 128.";
        Assert.That(run.Errors, Is.EqualTo(new[] { expected }));
        Assert.That(run.Output, Is.Empty);
        Assert.That(run.ExitCode, Is.EqualTo(extracts ? 3 : 125));
    }

    [Test]
    public async Task As_many_descriptors_as_it_says_it_needs_are_enough()
    {
        using var folder = new TemporaryFolder();
        using Harness extract = await Harness.RunUnderAsync("ulimit -n 128", "extract", Archive(folder), Path.Combine(folder.Path, "out"));
        using Harness run = await Harness.RunUnderAsync("ulimit -n 128", "run", "--", "/bin/echo", "hi");
        using Harness build = await Harness.RunUnderAsync("ulimit -n 255", "build", "no.slnx");

        Assert.That((extract.ExitCode, run.ExitCode), Is.EqualTo((0, 0)), () => string.Join('\n', [.. extract.Errors, .. run.Errors]));
        Assert.That(run.Output, Is.EqualTo(new[] { "n1 out: hi" }));
        Assert.That(build.Errors, Has.One.Contains("only 255 file descriptors are allowed (ulimit -n), and it needs at least 256."));
    }

    /// <summary>The limit does not bind root, so the program runs as another user, who has no other processes.</summary>
    [TestCase(10)]
    [TestCase(12)]
    [TestCase(16)]
    [TestCase(24)]
    public async Task Few_threads_are_one_line_that_names_the_limit(int limit)
    {
        if (Environment.UserName != "root" || !File.Exists("/usr/bin/setpriv") || !File.Exists("/usr/bin/prlimit"))
        {
            Assert.Ignore("needs root, setpriv and prlimit to act as a user with a limit");
        }

        const string Nobody = "set -- setpriv --reuid=65534 --regid=65534 --clear-groups prlimit --nproc=";
        using Harness run = await Harness.RunUnderAsync($"{Nobody}{limit} \"$@\"; cd /; export HOME=/tmp", "run", "--", "/bin/echo", "hi");

        Assert.That(run.Errors, Has.Length.EqualTo(1));
        string expected = $"^buildharness: the system gave it [0-9]+ threads, and it needs 24: .* {limit} together \\(ulimit -u\\)";
        Assert.That(run.Errors[0], Does.Match(expected));
        Assert.That(run.ExitCode, Is.EqualTo(125));
    }

    [Test]
    public void A_refused_thread_is_no_mistake_of_this_program()
    {
        Assert.That(Mistakes.Of(new OutOfMemoryException()), Does.Contain("ulimit -u").And.Not.Contain("mistake"));
        Assert.That(Mistakes.Of(new System.ComponentModel.Win32Exception(11)), Does.Contain("ulimit -u").And.Not.Contain("mistake"));
        Assert.That(Mistakes.Of(new InvalidOperationException("x")), Does.Contain("a mistake of this program"));
    }

    private static string Archive(TemporaryFolder folder)
    {
        string path = Path.Combine(folder.Path, "archive");
        File.WriteAllBytes(path, new TarBytes().Entry("f", content: "content").End());
        return path;
    }
}
