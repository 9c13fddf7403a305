using System.Diagnostics;
using System.IO;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;

namespace Transport.Journal.Tests.Stores;

/// <summary>Stores of a folder on the real disk.</summary>
internal abstract class FolderStoreTests : StoreConformance
{
    private TestFolder _folder = null!;

    protected string Journal => _folder.Journal;

    [OneTimeSetUp]
    public void MakeRoot() => _folder = new TestFolder();

    [OneTimeTearDown]
    public void RemoveRoot() => _folder.Dispose();

    [TearDown]
    public void Clean() => Directory.Delete(_folder.Journal, recursive: true);
}

/// <summary>System calls.</summary>
[Platform("Linux")]
internal sealed class UnixStoreTests : FolderStoreTests
{
    [Test]
    public void Directory_and_files_are_for_their_owner_alone()
    {
        using IJournalStore store = Open();
        store.Create("a").Dispose();
        using (store.TryLock("lock"))
        {
            Assert.That(Mode(Journal), Is.EqualTo("700"));
            Assert.That(Mode(Path.Combine(Journal, "a")), Is.EqualTo("600"));
            Assert.That(Mode(Path.Combine(Journal, "lock")), Is.EqualTo("600"));
        }
    }

    [Test]
    public void Every_Unix_gets_the_store_that_syncs_names()
    {
        using IJournalStore unix = StoreChoice.For(Journal, isWindows: false);
        using IJournalStore windows = StoreChoice.For(Journal, isWindows: true);
        Assert.That(unix, Is.TypeOf<UnixStore>());
        Assert.That(windows, Is.TypeOf<PortableStore>());
    }

    protected override IJournalStore Open() => new UnixStore(Journal);

    private static string Mode(string path)
    {
        using Process stat = Process.Start(new ProcessStartInfo("stat", $"-c %a \"{path}\"")
        {
            RedirectStandardOutput = true, UseShellExecute = false,
        })!;
        return stat.StandardOutput.ReadToEnd().Trim();
    }
}

/// <summary>The runtime's own files.</summary>
internal sealed class PortableStoreTests : FolderStoreTests
{
    protected override IJournalStore Open() => new PortableStore(Journal);
}

/// <summary>The disk that forgets.</summary>
internal sealed class SimulatedStoreTests : StoreConformance
{
    private SimulatedDisk _disk = null!;

    [TearDown]
    public void Forget() => _disk = null!;

    protected override IJournalStore Open() => (_disk ??= new SimulatedDisk(1)).Store();
}
