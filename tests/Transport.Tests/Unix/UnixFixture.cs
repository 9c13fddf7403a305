using System;
using System.IO;
using NUnit.Framework;

namespace Transport.Tests.Unix;

/// <summary>A folder for each test of the system's calls.</summary>
[Platform(Exclude = "Win", Reason = "Windows has no libc.")]
public abstract class UnixFixture
{
    private string _folder = null!;

    [SetUp]
    public void CreateFolder()
    {
        _folder = Path.Combine(Path.GetTempPath(), "tu-" + Guid.NewGuid().ToString("N").Substring(0, 12));
        Assert.That(FilePath.TryCreateDirectory(_folder, FilePath.OwnerOnlyDirectory), Is.EqualTo(Errno.None));
    }

    [TearDown]
    public void RemoveFolder() => Directory.Delete(_folder, recursive: true);

    private protected string At(string name) => _folder + "/" + name;

    private protected string CreateFile(string name, string content)
    {
        File.WriteAllText(At(name), content);
        return At(name);
    }

    private protected static int Open(string path, int flags = OpenFlags.ReadOnly)
    {
        Errno error = FileDescriptor.TryOpen(path, flags, FilePath.OwnerOnly, out int fd);
        Assert.That(error, Is.EqualTo(Errno.None), path);
        return fd;
    }
}
