using System;
using System.IO;
using System.Linq;
using NUnit.Framework;
using Transport.Loads.Commands;
using Transport.Loads.Report;
using Transport.Loads.Rivals;

namespace Transport.Loads.Tests;

/// <summary>What the user may ask for on the command line.</summary>
public sealed class CommandLineTests
{
    private string _folder = null!;

    [SetUp]
    public void Make() => _folder = Directory.CreateTempSubdirectory("command-line-tests-").FullName;

    [TearDown]
    public void Remove() => Directory.Delete(_folder, recursive: true);

    [Test]
    public void Columns_are_taken_in_the_order_of_the_table() =>
        Assert.That(CommandLine.Parse(["events", "--columns", "raw,transport"]).Columns,
            Is.EqualTo(new[] { Column.Transport, Column.Raw }));

    [TestCase("raw", TestName = "ColumnsWithoutTransportAreRefused")]
    [TestCase("transport,redis", TestName = "AColumnOfAnotherScenarioIsRefused")]
    [TestCase("", TestName = "NoColumnIsRefused")]
    public void Columns_that_make_no_table_are_refused(string given) =>
        Assert.That(() => CommandLine.Parse(["events", "--columns", given]),
            Throws.TypeOf<LoadException>().With.Message.Contains("transport,raw,seed,channel"));

    [TestCase("ping")]
    [TestCase("events ping")]
    [TestCase("all")]
    public void Columns_are_refused_where_anything_else_is_run(string scenarios) =>
        Assert.That(() => CommandLine.Parse([.. scenarios.Split(' '), "--columns", "transport,raw"]),
            Throws.TypeOf<LoadException>().With.Message.Contains("scenario events alone"));

    [Test]
    public void A_group_is_its_scenarios_and_all_is_every_group()
    {
        string[] Names(params string[] words) => [.. CommandLine.Parse(words).Scenarios.Select(s => s.Name)];
        Assert.Multiple(() =>
        {
            Assert.That(Names("links"), Has.Length.EqualTo(15).And.Member("events").And.Member("binlog").And.Member("mono"));
            Assert.That(Names("journals"), Has.Length.EqualTo(7).And.Member("journal").And.Member("durable"));
            Assert.That(Names("trees"), Has.Length.EqualTo(10).And.Member("files-disk").And.Member("extract-zip-disk"));
            Assert.That(Names("links", "journals", "trees", "collect", "msbuild", "farm"), Is.EqualTo(Names("all")));
            Assert.That(Names("ping", "links").Count(n => n == "ping"), Is.EqualTo(1), "what is named twice is run once");
        });
    }

    [TestCase("ping --rounds 0", "--rounds 0: allowed are 1 to 1000.")]
    [TestCase("ping --rounds x", "--rounds x: allowed are 1 to 1000.")]
    [TestCase("ping --roundz 3", "'--roundz' is not known; --help lists what is.")]
    [TestCase("ping --keep-gate", "--keep-gate needs --gate FILE, whose values it replaces.")]
    [TestCase("", "Name a scenario or a group of them, or say all; --help lists them.")]
    public void A_mistake_is_reported_in_one_line(string given, string said) =>
        Assert.That(() => CommandLine.Parse(given.Split(' ', StringSplitOptions.RemoveEmptyEntries)),
            Throws.TypeOf<LoadException>().With.Message.EqualTo(said));

    [Test]
    public void Help_names_every_option_and_scenario()
    {
        var output = new StringWriter();
        Help.Write(output);
        foreach (string word in (string[])["--quick", "--rounds <N>", "--gate <FILE>", "--keep-gate", "journal-spill", "loads.md"])
        {
            Assert.That(output.ToString(), Does.Contain(word));
        }
    }

    [Test]
    public void A_word_that_is_neither_is_refused_also_beside_all() =>
        Assert.That(() => CommandLine.Parse(["all", "pings"]),
            Throws.TypeOf<LoadException>().With.Message.StartsWith("There is no scenario 'pings'. There are: all, links, "));

    [Test]
    public void A_recorded_build_is_taken_where_it_is_replayed()
    {
        string file = Path.Combine(_folder, "a.binlog");
        File.WriteAllText(file, string.Empty);
        Assert.Multiple(() =>
        {
            Assert.That(CommandLine.Parse(["binlog", file]).Files, Is.EqualTo(new[] { file }));
            Assert.That(() => CommandLine.Parse(["ping", file]), Throws.TypeOf<LoadException>().With.Message.Contains("binlog alone"));
        });
    }

    [TestCase("/nonexistent.binlog", "/nonexistent.binlog is not there.")]
    [TestCase("nonexistent.binlog", "nonexistent.binlog is not there.")]
    [TestCase("/", "/ is a folder, not a recorded build.")]
    public void A_recorded_build_that_is_not_there_is_reported_so(string file, string said) =>
        Assert.That(() => CommandLine.Parse(["binlog", file]), Throws.TypeOf<LoadException>().With.Message.EqualTo(said));

    [TestCase("--json", "file/x.json")]
    [TestCase("--json", ".")]
    [TestCase("--json", "")]
    public void An_output_that_cannot_be_written_is_reported_before_anything_is_measured(string option, string name)
    {
        File.WriteAllText(Path.Combine(_folder, "file"), "a file is no folder");
        string path = name.Length == 0 ? name : Path.Combine(_folder, name);
        var outputs = new Outputs(CommandLine.Parse(["ping", option, path]));
        Assert.That(outputs.Try,
            Throws.TypeOf<LoadException>().With.Message.StartsWith($"{option} {path} cannot be written: ").And.Message.Not.Contains("\n"));
    }

    [Test]
    public void Trying_outputs_leaves_what_is_there_and_nothing_else()
    {
        string old = Path.Combine(_folder, "old.json");
        File.WriteAllText(old, "as it was");
        new Outputs(CommandLine.Parse(["ping", "--json", old])).Try();
        new Outputs(CommandLine.Parse(["ping", "--json", Path.Combine(_folder, "new", "data.json")])).Try();
        Assert.Multiple(() =>
        {
            Assert.That(File.ReadAllText(old), Is.EqualTo("as it was"));
            Assert.That(Directory.GetFiles(_folder, "*", SearchOption.AllDirectories), Is.EqualTo(new[] { old }));
        });
    }

    [Test]
    public void The_command_names_no_path_of_this_machine()
    {
        string inside = Path.Combine(Repository.Root, "perf", "results", "gate.json");
        Assert.That(
            Redo.Command(["links", "--check", "--json", Path.Combine(_folder, "x.json"), "--gate", inside, "--rounds", "9"]),
            Is.EqualTo("dotnet run -c Release --project perf/Transport.Loads -- links --check --json x.json --gate "
                + "perf/results/gate.json --rounds 9"));
    }

    [TestCase("{\"machine\": {}}", "'traceEvents'")]
    [TestCase("[]", "'traceEvents'")]
    [TestCase("{\"traceEvents\": [{\"pid\": 1}]}", "an event of it has not the fields")]
    [TestCase("{", "is no trace that can be read")]
    public void What_is_no_trace_is_reported_in_one_line(string text, string said)
    {
        string file = Path.Combine(_folder, "loads.json");
        File.WriteAllText(file, text);
        Assert.Multiple(() =>
        {
            Assert.That(() => new TraceFile(file),
                Throws.TypeOf<LoadException>().With.Message.Contains(said).And.Message.Not.Contains("\n"));
            Assert.That(PictureCommand.Run([file, Path.Combine(_folder, "x.svg"), "title"]), Is.EqualTo(2));
        });
    }
}
