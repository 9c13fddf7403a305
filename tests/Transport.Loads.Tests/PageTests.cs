using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using NUnit.Framework;
using Transport.Loads.Commands;
using Transport.Loads.Report;
using Transport.Loads.Rivals;

namespace Transport.Loads.Tests;

/// <summary>A page and its plots are made of what a run has written, whenever that was.</summary>
[TestFixture]
public sealed class PageTests : RowFixture
{
    private string _folder = null!;

    [SetUp]
    public void Make() => _folder = Directory.CreateTempSubdirectory("page-tests-").FullName;

    [TearDown]
    public void Remove() => Directory.Delete(_folder, recursive: true);

    [TestCase(".json")]
    [TestCase(".json.gz")]
    public void Every_kind_of_row_is_the_same_on_a_page_of_what_was_written(string extension)
    {
        string data = Path.Combine(_folder, "data" + extension);
        string now = Path.Combine(_folder, "now.md"), later = Path.Combine(_folder, "later.md");
        var results = new Results(new RunStamp(Machine.This(), "2026-01-01", "abc", "command", "1"), 3, IsQuick: false, [.. Rows()],
            ["events: a packet was lost"]);
        JsonReport.Write(data, results);
        Results read = JsonReport.Read(data);
        Page.Write(now, results, "command");
        Page.Write(later, read, "command");

        Assert.That(File.ReadAllText(later), Is.EqualTo(File.ReadAllText(now)).And.Contains("FAILED: events: a packet was lost")
            .And.Contains("not measured: no gcc here").And.Contains("raw had nothing in 1 of 3 rounds")
            .And.Contains("+ 1.00 [1.00, 1.00] raw"));
        Assert.That(read.Rows.Select(row => row.Place), Is.EqualTo(results.Rows.Select(row => row.Place)));
    }

    [TestCase("loads")]
    [TestCase("collect")]
    public void The_committed_page_is_what_the_committed_rounds_give(string name)
    {
        string folder = Path.Combine(Repository.Root, "perf", "results"), page = Path.Combine(folder, name + ".md"),
            made = Path.Combine(_folder, name + ".md");
        const string Command = "- This page: `";
        string line = File.ReadAllLines(page).Single(line => line.StartsWith(Command, StringComparison.Ordinal));
        Page.Write(made, JsonReport.Read(Path.Combine(folder, name + ".json.gz")), line[Command.Length..^1]);
        Assert.That(File.ReadAllText(page), Is.EqualTo(File.ReadAllText(made)));
    }

    [TestCase("", "is nothing that --json has written: ")]
    [TestCase("[]", "is nothing that --json has written: ")]
    [TestCase("{\"machine\": {}}", "is nothing that --json has written: ")]
    [TestCase(null, "cannot be read: ")]
    public void What_is_no_data_is_reported_in_one_line(string? text, string said)
    {
        string data = Path.Combine(_folder, "data.json"), page = Path.Combine(_folder, "page.md");
        if (text is not null)
        {
            File.WriteAllText(data, text);
        }

        Assert.Multiple(() =>
        {
            Assert.That(() => JsonReport.Read(data),
                Throws.TypeOf<LoadException>().With.Message.StartsWith($"{data} {said}").And.Message.Not.Contains("\n"));
            Assert.That(PageCommand.Run([data, page]), Is.EqualTo(2));
            Assert.That(File.Exists(page), Is.False);
        });
    }

    [Test]
    public void A_page_with_plots_names_those_that_are_missing_and_ends_with_1()
    {
        string data = Path.Combine(_folder, "data.json"), plots = Path.Combine(_folder, "plots");
        JsonReport.Write(data, new Results(new RunStamp(Machine.This(), "2026-01-01", "abc", "command", "1"), 3, IsQuick: false,
            [.. Rows()], []));
        Assert.That(PageCommand.Run([data, Path.Combine(_folder, "page.md"), plots]), Is.Zero);
        string[] drawn = Directory.GetFiles(plots);
        Assert.That(drawn.Select(Path.GetFileName), Has.Member("large-cost-over-size.svg"), "rows with a place are drawn together");

        Directory.Delete(plots, recursive: true);
        Directory.CreateDirectory(drawn[0]);
        Assert.That(PageCommand.Run([data, Path.Combine(_folder, "page.md"), plots]), Is.EqualTo(1));
        Assert.That(Directory.GetFiles(plots), Has.Length.EqualTo(drawn.Length - 1));
        Assert.That(PageCommand.Run([data]), Is.EqualTo(2));
        Assert.That(PageCommand.Run([data, Path.Combine(_folder, "none", "page.md")]), Is.EqualTo(2));
    }

    private IEnumerable<Row> Rows()
    {
        yield return Row.Make(Options, "events", "a quotient", "u", Rounds(2), Column.Raw, Target.AtLeast(0.75));
        yield return Row.Make(Options, "events", "without a target", "u", Rounds(2), Column.Raw);
        yield return Row.Make(Options, "events", "a difference", "B/event", Rounds(0), Column.Raw, Target.MoreByAtMost(0.5, 8));
        yield return Row.Make(Options, "events", "nothing beside it", "u", Rounds(0), Column.Raw, Target.AtMost(2));
        yield return Row.Make(Options, "events", "a value", "B", Rounds(1), null, Target.ValueAtMost(1));
        yield return Row.Missing(Options, "events", "missing", "u", "no gcc here", Column.Bytes, Target.AtLeast(0.4));
        yield return Row.Make(Options, "large", "64 KiB", "us", Rounds(1)).In("cost over size", 65536);
        yield return Row.Make(Options, "large", "1 MB", "us", Rounds(5)).In("cost over size", 1e6);
    }

    /// <summary>Gives three rounds; raw has one less than this library, from the number given on.</summary>
    private static List<IReadOnlyDictionary<string, double>> Rounds(int raw) => [.. Enumerable.Range(raw, 3)
        .Select(value => new Dictionary<string, double>(StringComparer.Ordinal) { [Column.Raw] = value, [Column.Transport] = value + 1 })];
}
