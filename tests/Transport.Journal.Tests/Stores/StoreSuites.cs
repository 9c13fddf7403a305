using System.IO;
using NUnit.Framework;
using Transport.Journal.Storing;
using Transport.Journal.Tests.Disk;

namespace Transport.Journal.Tests.Stores;

/// <summary>System calls.</summary>
[Platform("Unix,Linux,MacOsX")]
internal sealed class UnixStoreTests : StoreConformance
{
    private TestFolder _folder = null!;

    [OneTimeSetUp]
    public void MakeRoot() => _folder = new TestFolder();

    [OneTimeTearDown]
    public void RemoveRoot() => _folder.Dispose();

    [TearDown]
    public void Clean() => Directory.Delete(_folder.Journal, recursive: true);

    [Test]
    public void DirectoryAndFilesAreForTheirOwnerAlone()
    {
        using IJournalStore store = Open();
        store.Create("a").Dispose();
        using (store.TryLock("lock"))
        {
            Assert.That(Mode(_folder.Journal), Is.EqualTo(0x1C0));
            Assert.That(Mode(Path.Combine(_folder.Journal, "a")), Is.EqualTo(0x180));
            Assert.That(Mode(Path.Combine(_folder.Journal, "lock")), Is.EqualTo(0x180));
        }
    }

    protected override IJournalStore Open() => new UnixStore(_folder.Journal);

    private static int Mode(string path)
    {
        Assert.That(Mono.Unix.Native.Syscall.stat(path, out Mono.Unix.Native.Stat stat), Is.Zero);
        return (int)(stat.st_mode & Mono.Unix.Native.FilePermissions.ACCESSPERMS);
    }
}

/// <summary>The runtime's own files.</summary>
internal sealed class PortableStoreTests : StoreConformance
{
    private TestFolder _folder = null!;

    [OneTimeSetUp]
    public void MakeRoot() => _folder = new TestFolder();

    [OneTimeTearDown]
    public void RemoveRoot() => _folder.Dispose();

    [TearDown]
    public void Clean() => Directory.Delete(_folder.Journal, recursive: true);

    protected override IJournalStore Open() => new PortableStore(_folder.Journal);
}

/// <summary>The disk that forgets.</summary>
internal sealed class SimulatedStoreTests : StoreConformance
{
    private SimulatedDisk _disk = null!;

    [TearDown]
    public void Forget() => _disk = null!;

    protected override IJournalStore Open() => (_disk ??= new SimulatedDisk(1)).Store();
}
