using System;
using System.Linq;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Journal.Tests.Stores;

/// <summary>What the journal relies on, of every store.</summary>
internal abstract class StoreConformance
{
    private IJournalStore _store = null!;

    /// <summary>Opens the store of a directory that is not there yet; the same directory each time within a test.</summary>
    protected abstract IJournalStore Open();

    [SetUp]
    public void OpenStore()
    {
        _store = Open();
        Assert.That(_store.CreateDirectory(), Is.True);
    }

    [TearDown]
    public void Close() => _store.Dispose();

    [Test]
    public void A_directory_is_made_once()
    {
        _store.SyncParent();
        Assert.That(_store.CreateDirectory(), Is.False);
        _store.SyncParent();
    }

    [Test]
    public void What_is_written_is_read()
    {
        byte[] bytes = [.. Enumerable.Range(0, 300_000).Select(i => (byte)(i * 7))];
        using IJournalFile file = _store.Create("a");
        Assert.That(file.WriteAll(5000, bytes), Is.EqualTo(StoreError.None));
        Assert.That(file.Sync(), Is.EqualTo(StoreError.None));
        byte[] read = new byte[bytes.Length + 5001];
        using IJournalFile again = _store.Open("a", writable: false);
        Assert.That(again.ReadAll(0, read), Is.EqualTo(bytes.Length + 5000));
        Assert.That(read.Skip(5000).Take(bytes.Length), Is.EqualTo(bytes));
        Assert.That(read.Take(5000), Is.All.Zero);
        Assert.That(again.Read(400_000, read), Is.Zero, "behind the end");
    }

    [Test]
    public void A_place_beyond_four_gigabytes_is_its_own()
    {
        if (_store is Disk.SimulatedStore)
        {
            Assert.Pass("its files are in memory");
        }

        const long Far = (5L << 30) + 7;
        using IJournalFile file = _store.Create("a");
        Assert.That(file.WriteAll(Far - (4L << 30), [9]), Is.EqualTo(StoreError.None));
        Assert.That(file.WriteAll(Far, [1, 2, 3]), Is.EqualTo(StoreError.None));
        byte[] read = new byte[8];
        Assert.That(file.ReadAll(Far, read), Is.EqualTo(3));
        Assert.That(read.Take(3), Is.EqualTo(new byte[] { 1, 2, 3 }));
        Assert.That(file.Length, Is.EqualTo(Far + 3));
        Assert.That(file.Read(Far - (4L << 30), read.AsSpan(0, 1)), Is.EqualTo(1));
        Assert.That(read[0], Is.EqualTo(9));
    }

    [Test]
    public void What_another_opening_writes_is_seen()
    {
        using IJournalFile writer = _store.Create("a");
        using IJournalFile reader = _store.Open("a", writable: false);
        Assert.That(writer.WriteAll(0, [1, 2, 3]), Is.EqualTo(StoreError.None));
        byte[] read = new byte[8];
        Assert.That(reader.ReadAll(0, read), Is.EqualTo(3));
        Assert.That(writer.WriteAll(1, [9]), Is.EqualTo(StoreError.None));
        Assert.That(reader.ReadAll(0, read), Is.EqualTo(3));
        Assert.That(read.Take(3), Is.EqualTo(new byte[] { 1, 9, 3 }));
    }

    [Test]
    public void Allocated_capacity_has_its_length_and_is_zero()
    {
        using IJournalFile file = _store.Create("a");
        Assert.That(file.Allocate(100_000), Is.EqualTo(StoreError.None));
        Assert.That(file.Length, Is.EqualTo(100_000));
        byte[] read = new byte[100_001];
        read.AsSpan().Fill(1);
        Assert.That(file.ReadAll(0, read), Is.EqualTo(100_000));
        Assert.That(read.Take(100_000), Is.All.Zero);
        Assert.That(_store.List().Single(e => e.Name == "a").Length, Is.EqualTo(100_000));
    }

    [Test]
    public void Allocating_keeps_what_is_there()
    {
        using IJournalFile file = _store.Create("a");
        Assert.That(file.WriteAll(0, [1, 2, 3]), Is.EqualTo(StoreError.None));
        Assert.That(file.Allocate(10_000), Is.EqualTo(StoreError.None));
        byte[] read = new byte[3];
        Assert.That(file.ReadAll(0, read), Is.EqualTo(3));
        Assert.That(read, Is.EqualTo(new byte[] { 1, 2, 3 }));
    }

    [Test]
    public void Names_change_over_what_was_there()
    {
        using (IJournalFile a = _store.Create("a"))
        {
            Assert.That(a.WriteAll(0, [1]), Is.EqualTo(StoreError.None));
        }

        _store.Create("b").Dispose();
        _store.Rename("a", "b");
        _store.SyncDirectory();
        Assert.That(_store.List().Select(e => e.Name), Is.EquivalentTo(["b"]));
        using IJournalFile b = _store.Open("b", writable: false);
        Assert.That(b.Length, Is.EqualTo(1));
    }

    [Test]
    public void A_name_may_go_into_a_subdirectory()
    {
        _store.Create("a").Dispose();
        _store.MakeFolder("aside");
        _store.MakeFolder("aside");   // the process that made it may have exited
        _store.SyncDirectory();
        _store.Rename("a", "aside/a");
        StoreEntry[] left = [.. _store.List()];
        Assert.That(left.Single(), Is.EqualTo(new StoreEntry("aside", -1)));
    }

    [Test]
    public void Deleting_what_is_not_there_is_done()
    {
        _store.Create("a").Dispose();
        _store.Delete("a");
        _store.Delete("a");
        Assert.That(_store.List(), Is.Empty);
    }

    [Test]
    public void An_open_file_outlives_its_name()
    {
        using IJournalFile file = _store.Create("a");
        Assert.That(file.WriteAll(0, [1, 2, 3]), Is.EqualTo(StoreError.None));
        _store.Delete("a");
        byte[] read = new byte[3];
        Assert.That(file.ReadAll(0, read), Is.EqualTo(3));
    }

    [Test]
    public void Errors_are_reported()
    {
        Assert.That(Assert.Throws<StoreException>(() => _store.Open("missing", writable: true))!.Error, Is.EqualTo(StoreError.Missing));
        _store.Create("a").Dispose();
        Assert.That(Assert.Throws<StoreException>(() => _store.Create("a"))!.Error, Is.EqualTo(StoreError.Exists));
    }

    [Test]
    public void Who_asks_for_the_lock_changes_nothing()
    {
        Assert.That(_store.IsLocked("lock"), Is.False);
        Assert.That(_store.List(), Is.Empty);
        using (_store.TryLock("lock"))
        {
            Assert.That(_store.IsLocked("lock"), Is.True);
        }

        Assert.That(_store.IsLocked("lock"), Is.False);
    }

    [Test]
    public void Only_one_has_the_lock()
    {
        using IJournalStore second = Open();
        using (IDisposable? first = _store.TryLock("lock"))
        {
            Assert.That(first, Is.Not.Null);
            Assert.That(second.TryLock("lock"), Is.Null);
        }

        using IDisposable? later = second.TryLock("lock");
        Assert.That(later, Is.Not.Null);
    }
}
