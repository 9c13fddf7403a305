using System.IO;
using BuildHarness.Commands;
using BuildHarness.Display;
using NUnit.Framework;
using Transport;
using Transport.MSBuild;

namespace BuildHarness.Tests.Commands;

[TestFixture]
internal sealed class CommandLineTests
{
    [TestCase("", "name a command")]
    [TestCase("frob", "frob is no command")]
    [TestCase("--frob", "--frob is no command")]
    [TestCase("build a.sln b.sln", "b.sln")]
    [TestCase("build a.sln --nodes 0", "--nodes 0: expected 1 to 256")]
    [TestCase("build a.sln --nodes many", "--nodes many")]
    [TestCase("build a.sln -v loud", "-v loud: expected quiet")]
    [TestCase("build a.sln --wire tin", "--wire tin: expected unix, pipe or inherited")]
    [TestCase("build a.sln --stall-timeout soon", "--stall-timeout soon: expected 0.2 to 86400 seconds")]
    [TestCase("run --stall-timeout 0.1 -- true", "--stall-timeout 0.1: expected 0.2 to 86400 seconds")]
    [TestCase("build a.sln -p:NAME", "-p:NAME: expected -p:NAME=VALUE")]
    [TestCase("build a.sln -p:=x", "-p:=x: expected")]
    [TestCase("build a.sln -p:A=1;B", "-p:A=1;B: \"B\" is no NAME=VALUE; a ; or , within a value needs quotes")]
    [TestCase("build a.sln -p NAME", "-p NAME: expected -p:NAME=VALUE")]
    [TestCase("build a.sln -t:$(App)", "expected -t:NAME, such as Build, Rebuild")]
    [TestCase("build a.sln -f net10.0", "build: -f is a switch of dotnet build: use -p:TargetFramework=NAME.")]
    [TestCase("build a.sln -o out", "build: -o is a switch of dotnet build: use --collect-outputs DIR")]
    [TestCase("build a.sln --no-incremental", "use -t:Rebuild")]
    [TestCase("build a.sln -bl", "use --journal DIR")]
    [TestCase("build a.sln --frob", "--frob")]
    [TestCase("build a.sln --local 1", "--local: says how many workers help a farm, and there is no --farm.")]
    [TestCase("build a.sln --creds f", "--creds: are those of a farm, and there is no --farm.")]
    [TestCase("build a.sln --farm nats://a --nodes 2", "--nodes and --farm: with a farm, --local N says")]
    [TestCase("build a.sln --farm nats://a --collect-outputs d", "--collect-outputs and --farm: the outputs are on the file system")]
    [TestCase("build a.sln --farm nats://a --local -1", "--local -1: expected 0 to 256")]
    [TestCase("agent --workers 0", "--workers 0: expected 1 to 256")]
    [TestCase("agent a.sln", "a.sln")]
    [TestCase("build --nodez 3 a.sln", "build: unknown option --nodez (did you mean --nodes?).")]
    [TestCase("build --nodez=3", "build: unknown option --nodez (did you mean --nodes?).")]
    [TestCase("build a.sln -x", "build: unknown option -x (see --help).")]
    [TestCase("run --sumary s.json -- true", "run: unknown option --sumary (did you mean --summary?).")]
    [TestCase("replay a.binlog --log l.txt", "replay: unknown option --log (see --help).")]
    [TestCase("build a.sln --summary", "--summary")]
    [TestCase("replay", "replay: FILE is missing")]
    [TestCase("replay a.binlog --caps none", "replay: unknown option --caps (see --help).")]
    [TestCase("run", "run: CMD is missing")]
    [TestCase("run --journal-sync soon -- true", "--journal-sync soon: expected always, group, everysec or no")]
    [TestCase("run --journal j --journal-segment 1000 -- true", "--journal-segment 1000: expected 65536 to 1073741824 bytes")]
    [TestCase("run --journal-optional -- true", "--journal-optional: expected --journal DIR beside it")]
    [TestCase("build a.sln --journal", "--journal")]
    [TestCase("run --", "missing")]
    [TestCase("extract", "extract: FILE is missing: the archive")]
    [TestCase("extract a.zip", "extract: DIR is missing: the folder")]
    [TestCase("extract a.zip d --writers 65", "--writers 65: expected 0 to 64")]
    [TestCase("extract a.zip d --io tape", "--io tape: expected stream or mmap")]
    [TestCase("extract a.zip d --sync some", "--sync some: expected none, data or all")]
    [TestCase("extract a.zip d --limit-ratio 0", "--limit-ratio 0: expected 1 to 1000000")]
    [TestCase("extract a.zip d --limit-bytes -1", "--limit-bytes -1: expected a number of bytes")]
    [TestCase("extract a.zip d --limit-entries many", "--limit-entries many: expected 0 to 100000000")]
    public void A_mistake_gives_one_line_and_exit_code_2(string line, string said)
    {
        var output = new StringWriter();
        var error = new StringWriter();
        (CommonOptions? options, int exitCode) = CommandLine.Parse(Split(line), output, error);

        Assert.That(options, Is.Null);
        Assert.That(exitCode, Is.EqualTo(2));
        Assert.That(output.ToString(), Is.Empty);
        Assert.That(error.ToString().TrimEnd('\n'), Does.StartWith("buildharness: ").And.Contain(said).And.Not.Contain("\n"));
    }

    [TestCase("q", "Quiet")]
    [TestCase("quiet", "Quiet")]
    [TestCase("m", "Minimal")]
    [TestCase("n", "Normal")]
    [TestCase("d", "Detailed")]
    [TestCase("DIAG", "Diagnostic")]
    public void Verbosity_is_named_in_full_or_short(string word, string meant) =>
        Assert.That(Build($"build a.sln -v {word}").Verbosity.ToString(), Is.EqualTo(meant));

    [Test]
    public void All_options_of_build_are_read()
    {
        BuildOptions options = Build(
            "build a.sln --nodes 3 --configuration Release -p:One=1 -p:Two=a=b;Three=c /p:Four=\"x;y\" -p Five=5 "
                + "-t:Clean;Build -warnaserror -nowarn:X1;X2 --no-restore --log l.txt --summary s.json --wire pipe");

        Assert.That((options.Path, options.Nodes, options.Configuration, options.Restore), Is.EqualTo(("a.sln", 3, "Release", false)));
        Assert.That((options.Log, options.Summary, options.Wire), Is.EqualTo(("l.txt", "s.json", WireKind.NamedPipe)));
        Assert.That(options.GlobalProperties(), Is.EquivalentTo(new[] { P("Configuration", "Release"), P("One", "1"), P("Two", "a=b"),
            P("Three", "c"),
            P("Four", "x;y"), P("Five", "5") }));
        Assert.That(options.Severities.Switches, Is.EqualTo(new[] { "-warnaserror", "-warnasmessage:X1;X2" }));
        Assert.That(options.Targets, Is.EqualTo(new[] { "Clean", "Build" }));
    }

    [Test]
    public void What_is_built_may_be_left_out_and_may_be_a_filter()
    {
        var output = new StringWriter();
        CommandLine.Parse(["build", "--help"], output, TextWriter.Null);

        Assert.That(Build("build").Path, Is.EqualTo("."));
        Assert.That(output.ToString(), Does.Contain(".slnf").And.Contain("-warnaserror").And.Contain("--target"));
    }

    [Test]
    public void A_project_of_a_solution_may_be_named_as_a_target() =>
        Assert.That(Build("build a.sln -t:Proj\\App:Build;Lib").Targets, Is.EqualTo(new[] { "Proj\\App:Build", "Lib" }));

    [Test]
    public void The_defaults_are_those_of_the_projects_all_cores_and_a_restore()
    {
        BuildOptions options = Build("build a.sln");

        Assert.That((options.Configuration, options.Nodes, options.Restore, options.Verbosity),
            Is.EqualTo(((string?)null, System.Environment.ProcessorCount, true, BuildVerbosity.Minimal)));
    }

    [Test]
    public void What_follows_two_dashes_is_the_programs()
    {
        var options = (RunOptions?)CommandLine.Parse(
            ["run", "--log", "l", "--", "prog", "--log", "x", "@y", "--"], TextWriter.Null, TextWriter.Null).Options;

        Assert.That(options!.Program, Is.EqualTo("prog"));
        Assert.That(options.Arguments, Is.EqualTo(new[] { "--log", "x", "@y", "--" }));
        Assert.That(options.Log, Is.EqualTo("l"));
    }

    [TestCase("build", "--no-restore", "1 the build failed")]
    [TestCase("replay", "FILE", "1 it is not")]
    [TestCase("run", "CMD", "125 the harness itself")]
    [TestCase("run", "--journal-sync", "125 the harness itself")]
    public void Help_is_no_mistake_and_reports_options_and_exit_codes(string command, string option, string code)
    {
        var output = new StringWriter();
        Assert.That(CommandLine.Parse([.. Split(command), "--help"], output, TextWriter.Null).ExitCode, Is.Zero);
        Assert.That(output.ToString(), Does.Contain(option).And.Contain("Exit codes:").And.Contain(code));
    }

    [Test]
    public void The_options_of_a_journal_are_read()
    {
        var options = (RunOptions?)CommandLine.Parse(
            Split("run --journal j --journal-sync everysec --journal-segment 1048576 --journal-optional -- true"), TextWriter.Null,
            TextWriter.Null).Options;
        Assert.That(options!.Journal, Is.EqualTo(new BuildHarness.Journaling.JournalSettings("j")
        {
            Sync = Transport.Journal.JournalSync.EverySecond, SegmentBytes = 1 << 20, IsOptional = true,
        }));
        Assert.That(Build("build a.sln --journal j").Journal, Is.EqualTo(new BuildHarness.Journaling.JournalSettings("j")));
        Assert.That(Build("build a.sln").Journal, Is.Null);
    }

    private static System.Collections.Generic.KeyValuePair<string, string> P(string name, string value) => new(name, value);

    private static string[] Split(string line) => line.Split(' ', System.StringSplitOptions.RemoveEmptyEntries);

    private static BuildOptions Build(string line) =>
        (BuildOptions)CommandLine.Parse(Split(line), TextWriter.Null, TextWriter.Null).Options!;
}
