using NUnit.Framework;
using Transport.Loads.Commands;
using Transport.Loads.Rivals;

namespace Transport.Loads.Tests;

/// <summary>What the user may ask for on the command line.</summary>
public sealed class CommandLineTests
{
    [Test]
    public void ColumnsAreTakenInTheOrderOfTheTable() =>
        Assert.That(CommandLine.Parse(["events", "--columns", "raw,transport"]).Columns, Is.EqualTo(new[] { Column.Transport, Column.Raw }));

    [TestCase("raw", TestName = "ColumnsWithoutTransportAreRefused")]
    [TestCase("transport,redis", TestName = "AColumnOfAnotherScenarioIsRefused")]
    [TestCase("", TestName = "NoColumnIsRefused")]
    public void ColumnsThatMakeNoTableAreRefused(string given) =>
        Assert.That(() => CommandLine.Parse(["events", "--columns", given]), Throws.TypeOf<LoadException>().With.Message.Contains("transport,raw,seed,channel"));
}
