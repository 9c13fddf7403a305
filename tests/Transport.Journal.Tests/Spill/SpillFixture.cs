using System.Threading.Tasks;
using NUnit.Framework;

namespace Transport.Journal.Tests.Spill;

/// <summary>A rig for each test; what its sender reported is shown where one fails.</summary>
internal abstract class SpillFixture
{
    protected SpillRig Rig { get; private set; } = null!;

    [SetUp]
    public void MakeRig() => Rig = new SpillRig();

    [TearDown]
    public async Task DisposeRig()
    {
        Rig.ShowReportsOfAFailure();
        Assert.That(Rig.MayReportDamage || !Rig.Reported(SpillEvent.JournalDamaged), Is.True,
            "no kill and no power cut is reported as damage");
        await Rig.DisposeAsync();
    }
}
