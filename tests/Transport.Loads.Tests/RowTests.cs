using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text.Json;
using NUnit.Framework;
using Transport.Loads.Report;
using Transport.Loads.Rivals;

namespace Transport.Loads.Tests;

[TestFixture]
public sealed class RowTests : RowFixture
{
    [Test]
    public void The_ratio_is_the_median_of_the_rounds_own_ratios()
    {
        // The quotient of the medians would be 2 / 2 = 1.
        Row row = Compare([(1, 1), (2, 4), (6, 2)], Target.AtLeast(0.5));
        Assert.Multiple(() =>
        {
            Assert.That(row.Compared!.Value.Median, Is.EqualTo(1));
            Assert.That(row.Compared!.Value.Low, Is.EqualTo(0.5));
            Assert.That(row.Compared!.Value.High, Is.EqualTo(3));
            Assert.That(row.Holds, Is.True);
        });
    }

    [Test]
    public void A_difference_is_taken_round_by_round() =>
        Assert.That(Compare([(110, 100), (130, 100), (120, 100)], Target.MoreByAtMost(25, 1000)).Holds, Is.False);

    [Test]
    public void Without_its_column_a_target_is_not_judged()
    {
        Row row = Row.Make(Options, "s", "m", "u", [new Dictionary<string, double>(StringComparer.Ordinal) { [Column.Transport] = 1 }],
            Column.Raw, Target.AtLeast(1));
        Assert.Multiple(() =>
        {
            Assert.That(row.Holds, Is.Null);
            Assert.That(Verdict.ExitCode(check: true, [row], []), Is.Zero);
            Assert.That(Verdict.Lines([row], []).Last(), Does.StartWith("not measured: s: m"));
        });
    }

    [Test]
    public void What_is_missing_says_why()
    {
        Row row = Row.Missing(Options, "mono", "events", "us", "no mono here", ".NET 10", Target.AtMost(2.5));
        using var table = new StringWriter();
        Table.Write(table, [row]);
        Assert.That(table.ToString(), Does.Contain("not measured: no mono here").And.Contain("<= 2.5 x .NET 10"));
    }

    [Test]
    public void A_round_in_which_the_other_did_nothing_has_no_quotient_and_the_row_says_so()
    {
        // As the journal's floor in C had it in rounds of 30 ms: no record at all.
        Row row = Compare([(2, 1), (3, 0), (4, 2)], Target.AtLeast(1));
        using var table = new StringWriter();
        Table.Write(table, [row]);
        Assert.Multiple(() =>
        {
            Assert.That(row.Holds, Is.Null);
            Assert.That(table.ToString(),
                Does.Contain("not measured: raw had nothing in 1 of 3 rounds").And.Not.Contain("Infinity").And.Not.Contain("∞"));
        });
    }

    [Test]
    public void A_column_that_was_not_run_is_reported_as_that()
    {
        Row row = Row.Make(Options, "s", "m", "u", [new Dictionary<string, double>(StringComparer.Ordinal) { [Column.Transport] = 1 }],
            Column.Raw, Target.AtLeast(1), "column not run");
        using var table = new StringWriter();
        Table.Write(table, [row]);
        Assert.Multiple(() =>
        {
            Assert.That(table.ToString(), Does.Contain("column not run"));
            Assert.That(Verdict.Lines([row], []), Has.Member("not measured: s: m (column not run)"));
        });
    }

    [Test]
    public void A_miss_is_named_and_ends_a_checked_run_with_1()
    {
        Row row = Compare([(1, 2)], Target.AtLeast(0.75));
        Assert.Multiple(() =>
        {
            Assert.That(Verdict.ExitCode(check: true, [row], []), Is.EqualTo(1));
            Assert.That(Verdict.ExitCode(check: false, [row], []), Is.Zero);
            Assert.That(Verdict.ExitCode(check: false, [], ["events: lost"]), Is.EqualTo(1));
            Assert.That(Verdict.Lines([row], []), Has.Member("does not hold: s: m (>= 0.75 x raw)"));
        });
    }

    [TestCase(".json")]
    [TestCase(".json.gz")]
    public void Json_has_every_round_and_null_where_a_column_does_not_apply(string extension)
    {
        string path = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName() + extension);
        try
        {
            JsonReport.Write(path, new Results(new RunStamp(Machine.This(), "2026-01-01", "abc", "command", "1"), 2, IsQuick: false,
                [Compare([(1, 2), (3, 4)], Target.AtLeast(0.75))], []));
            using Stream file = File.OpenRead(path);
            using Stream text = extension == ".json" ? file : new GZipStream(file, CompressionMode.Decompress);
            using var json = JsonDocument.Parse(text);
            JsonElement row = json.RootElement.GetProperty("scenarios")[0];
            Assert.Multiple(() =>
            {
                Assert.That(row.GetProperty("ratio").GetDouble(), Is.EqualTo(0.625));
                Assert.That(row.GetProperty("against").GetString(), Is.EqualTo("raw"));
                Assert.That(row.GetProperty("holds").GetBoolean(), Is.False);
                Assert.That(row.GetProperty("bytes").ValueKind, Is.EqualTo(JsonValueKind.Null));
                Assert.That(row.GetProperty("rounds")[1].GetProperty("raw").GetDouble(), Is.EqualTo(4));
                Assert.That(json.RootElement.GetProperty("machine").GetProperty("cores").GetInt32(), Is.Positive);
            });
        }
        finally
        {
            File.Delete(path);
        }
    }

    private Row Compare((double Transport, double Raw)[] rounds, Target target) =>
        Row.Make(Options, "s", "m", "u", [.. rounds.Select(r => new Dictionary<string, double>(StringComparer.Ordinal)
        {
            [Column.Transport] = r.Transport, [Column.Raw] = r.Raw,
        })], Column.Raw, target);
}
