using NUnit.Framework;
using Transport.Loads.Rivals;

namespace Transport.Loads.Tests;

/// <summary>For tests that make rows: what a full run of three rounds is given.</summary>
public abstract class RowFixture
{
    private CFloor _floor = null!;

    /// <summary>Gets what rows are made with.</summary>
    private protected RunOptions Options { get; private set; } = null!;

    [OneTimeSetUp]
    public void MakeFloor()
    {
        _floor = new CFloor();
        Options = new RunOptions(3, Quick: false, _floor, [], _ => { });
    }

    [OneTimeTearDown]
    public void FreeFloor() => _floor.Dispose();
}
