using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using NUnit.Framework;
using Transport.Loads.Commands;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Scenarios;

namespace Transport.Loads.Tests;

/// <summary>A run compared with committed values.</summary>
[TestFixture]
public sealed class GateTests : RowFixture
{
    private const string Equal = """{ "row": "s: m", "value": 2 }""";
    private const string Lower = """{ "row": "s: m", "value": 2, "better": "lower", "share": 0.3 }""";
    private const string Higher = """{ "row": "s: m", "value": 2, "better": "higher", "share": 0.3 }""";

    private string _path = null!;

    [SetUp]
    public void MakeFile() => _path = Path.GetTempFileName();

    [TearDown]
    public void RemoveFile() => File.Delete(_path);

    [TestCase(Equal, 2, ExpectedResult = true)]
    [TestCase(Equal, 2.0001, ExpectedResult = false)]
    [TestCase(Equal, 1.9999, ExpectedResult = false)]
    [TestCase(Lower, 2.59, ExpectedResult = true)]
    [TestCase(Lower, 2.61, ExpectedResult = false)]
    [TestCase(Lower, 0.1, ExpectedResult = true)]
    [TestCase(Higher, 1.55, ExpectedResult = true)]
    [TestCase(Higher, 1.53, ExpectedResult = false)]
    [TestCase(Higher, 0, ExpectedResult = false)]
    [TestCase(Higher, 20, ExpectedResult = true)]
    public bool A_count_is_equal_and_a_quotient_not_much_worse(string entry, double value)
    {
        Gate gate = Open(entry);
        gate.Compare(["s"], [RowOf("m", value)]);
        return gate.Holds;
    }

    [Test]
    public void A_quotient_is_the_rounds_own()
    {
        Gate gate = Open(Lower);
        gate.Compare(["s"], [RowOf("m", 30, against: 10)]);
        Assert.That(gate.Lines(), Has.Some.EqualTo("gate: s: m: 3, committed 2 (may be 30% worse, lower is better)"));
    }

    [Test]
    public void What_is_off_is_asked_for_again_and_may_hold_then()
    {
        Gate gate = Open(Lower, Equal.Replace("s: m", "t: m", StringComparison.Ordinal));
        gate.Compare(["s", "t"], [RowOf("m", 9), RowOf("m", 2, scenario: "t")]);
        Assert.That(gate.ScenariosOff, Is.EqualTo(new[] { "s" }));
        gate.Compare(["s"], [RowOf("m", 2.1)]);
        Assert.That(gate.Holds, Is.True);
        Assert.That(gate.Lines().Single(), Does.StartWith("The gate holds"));
    }

    [Test]
    public void A_row_that_is_gone_is_off_one_that_cannot_be_measured_is_named()
    {
        Gate gate = Open(Equal, Lower.Replace("s: m", "s: n", StringComparison.Ordinal));
        gate.Compare(["s"], [Row.Missing(Options, "s", "n", "u", "no gcc here")]);
        Assert.That(gate.Holds, Is.False);
        Assert.That(gate.Lines(), Has.Some.EqualTo("gate: s: m is no row of this run")
            .And.Some.EqualTo("gate: not measured: s: n (no gcc here)"));
    }

    [Test]
    public void Scenarios_that_were_not_run_are_not_judged()
    {
        Gate gate = Open(Equal);
        gate.Compare(["t"], []);
        Assert.That(gate.Holds, Is.True);
    }

    [Test]
    public void What_became_far_better_is_named()
    {
        Gate gate = Open(Lower);
        gate.Compare(["s"], [RowOf("m", 1)]);
        Assert.That(gate.Lines(), Has.Some.Contains("s: m: 1 is far better than the committed 2"));
    }

    [Test]
    public void New_values_are_kept_of_the_rows_that_were_run()
    {
        var stamp = new RunStamp(new Machine(2, "cpu", "os", "runtime"), "2026-01-01", "abc", "command", "load");
        Open(Equal, Lower.Replace("s: m", "s: n", StringComparison.Ordinal)).Keep(stamp, [RowOf("m", 0)]);
        Gate kept = new(_path);
        kept.Compare(["s"], [RowOf("m", 0), RowOf("n", 2)]);
        Assert.That(kept.Holds, Is.True);
        Assert.That(File.ReadAllText(_path), Does.Contain("2026-01-01, abc").And.EndsWith("}\n"));
    }

    [TestCase("")]
    [TestCase("[]")]
    [TestCase("null")]
    [TestCase("""{ "rows": [] }""")]
    [TestCase("""{ "measured": "", "rows": [] }""")]
    [TestCase("""{ "measured": "", "rows": [ { "row": "s: m" } ] }""")]
    [TestCase("""{ "measured": "", "rows": [ { "row": "s: m", "value": 1, "share": 0.3 } ] }""")]
    [TestCase("""{ "measured": "", "rows": [ { "row": "s: m", "value": 1, "better": "lower" } ] }""")]
    [TestCase("""{ "measured": "", "rows": [ { "row": "s: m", "value": 1, "better": "lower", "share": 9 } ] }""")]
    [TestCase("""{ "measured": "", "rows": [ { "row": "s: m", "value": 1, "within": 2 } ] }""")]
    public void A_file_that_is_no_gate_is_reported_in_one_line(string text)
    {
        File.WriteAllText(_path, text);
        Assert.That(() => new Gate(_path), Throws.TypeOf<LoadException>().With.Message.StartsWith($"--gate {_path} ")
            .And.Message.Not.Contains("\n"));
    }

    [Test]
    public void A_gate_that_is_not_there_is_reported_before_anything_is_measured() =>
        Assert.That(LoadsCommand.Run(["counts", "--gate", _path + ".none"]), Is.EqualTo(2));

    [TestCase("counts.json", "counts", "binlog")]
    [TestCase("gate.json", "events", "journal", "files")]
    public void A_committed_gate_can_be_read_and_speaks_of_scenarios_that_there_are(string file, params string[] scenarios)
    {
        var gate = new Gate(Path.Combine(Repository.Root, "perf", "results", file));
        gate.Compare([.. ScenarioList.All.Select(s => s.Name)], []);
        Assert.That(gate.ScenariosOff, Is.SupersetOf(scenarios));
    }

    private Gate Open(params string[] entries)
    {
        File.WriteAllText(_path, $$"""{ "measured": "once", "rows": [ {{string.Join(", ", entries)}} ] }""");
        return new Gate(_path);
    }

    private Row RowOf(string metric, double value, double? against = null, string scenario = "s")
    {
        var round = new Dictionary<string, double>(StringComparer.Ordinal) { [Column.Transport] = value };
        if (against is { } other)
        {
            round[Column.Raw] = other;
        }

        return Row.Make(Options, scenario, metric, "u", [round], against is null ? null : Column.Raw);
    }
}
