using System;
using System.IO;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Disks;

namespace Transport.Journal.Tests;

/// <summary>A small file system that a test fills; gone at the end.</summary>
internal sealed class TestDisk : IDisposable
{
    private readonly TestFolder _folder = new();
    private SmallFileSystem? _mounted;

    /// <summary>Gets its root, once it is mounted.</summary>
    public string Root => _mounted!.Path;

    /// <summary>Gets the file that takes space; to be made, shortened or removed.</summary>
    public string Filler => Path.Combine(Root, "filler");

    /// <summary>Mounts it.</summary>
    /// <param name="options">As mount takes them for a tmpfs.</param>
    public async Task MountAsync(string options) =>
        _mounted = await SmallFileSystem.MountAsync(Path.Combine(_folder.Root, "disk"), options);

    /// <summary>Takes all of the space that is left.</summary>
    public void FillUp(string? name = null)
    {
        // Not by a stream of the runtime: Mono's throws once more when it is disposed of.
        using var store = new UnixStore(Root);
        using IJournalFile filler = store.Create(name ?? Path.GetFileName(Filler));
        Assert.That(filler.FillWithZeros(long.MaxValue), Is.EqualTo(StoreError.Full));
    }

    public void Dispose()
    {
        _mounted?.Dispose();
        _folder.Dispose();
    }
}
