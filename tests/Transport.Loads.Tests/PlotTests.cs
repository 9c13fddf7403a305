using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Xml.Linq;
using NUnit.Framework;
using Transport.Loads.Report;
using Transport.Loads.Rivals;

namespace Transport.Loads.Tests;

/// <summary>Plots of every scenario, and what is left of a run if one cannot be made.</summary>
[TestFixture]
public sealed class PlotTests : RowFixture
{
    private string _folder = null!;

    [SetUp]
    public void Make() => _folder = Directory.CreateTempSubdirectory("plot-tests-").FullName;

    [TearDown]
    public void Remove() => Directory.Delete(_folder, recursive: true);

    [TestCase("events")]
    [TestCase("files")]
    [TestCase("extract")]
    [TestCase("journal")]
    [TestCase("collect")]
    public void Every_column_of_every_scenario_has_a_colour_of_its_own(string scenario)
    {
        Row[] rows = [Full(scenario, "m").In("over size", 1), Full(scenario, "n").In("over size", 2)];
        Assert.That(Plots.Write(_folder, Machine.This(), rows), Is.Empty);
        string[] files = Directory.GetFiles(_folder);
        Assert.That(files, Has.Length.EqualTo(3));
        foreach (string file in files)
        {
            Assert.That(XDocument.Load(file).Descendants().Where(e => e.Name.LocalName == "circle").Select(e => e.Attribute("fill")!.Value)
                .Distinct().Count(), Is.EqualTo(Column.Of(scenario).Length), file);
        }
    }

    [Test]
    public void Values_that_no_scale_has_are_left_out()
    {
        Row row = Row.Make(Options, "events", "odd", "u", [Round(1, double.PositiveInfinity), Round(0, 2), Round(double.NaN, 3)]);
        Assert.That(Plots.Write(_folder, Machine.This(), [row]), Is.Empty);
        Assert.That(File.ReadAllText(Directory.GetFiles(_folder).Single()), Does.Not.Contain("NaN").And.Not.Contain("∞"));
    }

    [Test]
    public void A_plot_that_cannot_be_written_takes_no_other_with_it()
    {
        Directory.CreateDirectory(Path.Combine(_folder, "events-m.svg"));   // a folder where the first plot goes
        IReadOnlyList<string> missing = Plots.Write(_folder, Machine.This(), [Full("events", "m"), Full("events", "n")]);
        Assert.Multiple(() =>
        {
            Assert.That(missing.Single(), Does.StartWith("the plot of events: m: "));
            Assert.That(File.Exists(Path.Combine(_folder, "events-n.svg")), Is.True);
        });
    }

    private static Dictionary<string, double> Round(double ours, double raw) => new(StringComparer.Ordinal)
    {
        [Column.Transport] = ours, [Column.Raw] = raw,
    };

    private Row Full(string scenario, string metric) =>
        Row.Make(Options, scenario, metric, "u", [.. Enumerable.Range(1, 3)
            .Select(r => Column.Of(scenario).Select((c, i) => (c, (double)(r + i))).ToDictionary(StringComparer.Ordinal))]);
}
