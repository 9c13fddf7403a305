using System;
using System.IO;
using BuildHarness.Commands;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Commands;

/// <summary>Two options that name one file, in whatever way, are refused before anything is written.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class OutputPathsTests
{
    [TestCase("build a.sln --log X --summary X", "--log", "--summary")]
    [TestCase("build a.sln --log X --trace ./X", "--log", "--trace")]
    [TestCase("build a.sln --summary X --trace link", "--summary", "--trace")]
    [TestCase("build a.sln --journal J --log J/", "--log", "--journal")]
    [TestCase("build a.sln --summary X --journal over/../X", "--summary", "--journal")]
    [TestCase("build X --log over/X", "build", "--log")]
    [TestCase("replay X --summary X", "replay", "--summary")]
    [TestCase("replay X --summary s --journal X", "replay", "--journal")]
    [TestCase("run --log X --summary over/X -- true", "--log", "--summary")]
    [TestCase("run --log new --summary dangling -- true", "--log", "--summary")]
    [TestCase("run --log X -- ./X", "run --", "--log")]
    [TestCase("extract X d --trace link", "extract", "--trace")]
    public void Two_options_for_one_file_are_a_mistake_that_names_both(string line, string one, string other) => InFolder(folder =>
    {
        var error = new StringWriter();
        (CommonOptions? options, int exitCode) = CommandLine.Parse(Words(folder, line), TextWriter.Null, error);
        Assert.That((options, exitCode), Is.EqualTo(((CommonOptions?)null, 2)));
        Assert.That(error.ToString(),
            Does.StartWith("buildharness: ").And.Contain(one + " ").And.Contain(other + " ").And.Contain("are one and the same"));
        Assert.That(File.ReadAllText(Path.Combine(folder, "X")), Is.EqualTo("mine"));
    });

    /// <summary>A journal there was gone, with everything acknowledged in it, and the exit code was 0.</summary>
    [TestCase("build a.sln --collect-outputs J --journal over/J/journal", "--journal")]
    [TestCase("build a.sln --collect-outputs J/ --log over/J/log", "--log")]
    public void What_is_written_into_a_collection_would_go_with_it(string line, string option) => InFolder(folder =>
    {
        var error = new StringWriter();
        (CommonOptions? options, int exitCode) = CommandLine.Parse(Words(folder, line), TextWriter.Null, error);
        Assert.That((options, exitCode), Is.EqualTo(((CommonOptions?)null, 2)));
        Assert.That(error.ToString(), Does.StartWith($"buildharness: {option} ").And.Contain("lies in --collect-outputs "));
    });

    [TestCase("extract", "--trace")]
    [TestCase("replay", "--summary")]
    public void A_file_in_shared_memory_is_a_file(string command, string option)
    {
        string file = "/dev/shm/harness-" + Path.GetRandomFileName();
        var error = new StringWriter();
        string[] words = command == "extract" ? [command, file, "d", option, file] : [command, file, option, file];
        Assert.That(CommandLine.Parse(words, TextWriter.Null, error).ExitCode, Is.EqualTo(2));
        Assert.That(error.ToString(), Does.Contain("are one and the same"));
    }

    [TestCase("build a.sln --collect-outputs J --journal JJ --log J.log")]
    [TestCase("build a.sln --log X --summary Y --trace Z --journal J")]
    [TestCase("run --log /dev/null --summary /dev/null -- true")]
    [TestCase("replay J --journal J/")]
    [TestCase("run --log X -- X")]
    [TestCase("build a.sln --log loop --summary X")]
    public void Others_are_none(string line) => InFolder(folder =>
        Assert.That(CommandLine.Parse(Words(folder, line), TextWriter.Null, TextWriter.Null).ExitCode, Is.Zero));

    /// <summary>What has a capital letter, and the links' names, stand for files of the folder; a program without a path is looked for
    /// elsewhere.</summary>
    private static string[] Words(string folder, string line)
    {
        string[] words = line.Split(' ');
        for (int i = 1; i < words.Length; i++)
        {
            bool isOurs = words[i].TrimStart('.', '/') is "X" or "Y" or "Z" or "J" or "J/" or "link" or "loop" or "new" or "dangling"
                || words[i].StartsWith("over/", StringComparison.Ordinal);
            words[i] = isOurs && words[i - 1] != "--" | words[i].StartsWith("./", StringComparison.Ordinal) ? folder + "/" + words[i]
                : words[i];
        }

        return words;
    }

    private static void InFolder(Action<string> test)
    {
        using var folder = new TemporaryFolder();
        folder.File("X", "mine");
        Directory.CreateDirectory(Path.Combine(folder.Path, "J"));
        File.CreateSymbolicLink(Path.Combine(folder.Path, "link"), "X");
        File.CreateSymbolicLink(Path.Combine(folder.Path, "dangling"), "new");
        File.CreateSymbolicLink(Path.Combine(folder.Path, "loop"), "loop");
        Directory.CreateSymbolicLink(Path.Combine(folder.Path, "over"), folder.Path);
        test(folder.Path);
    }
}
