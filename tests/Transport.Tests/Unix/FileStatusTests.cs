using System;
using System.IO;
using System.Net.Sockets;
using NUnit.Framework;

namespace Transport.Tests.Unix;

[TestFixture]
public sealed class FileStatusTests : UnixFixture
{
    [Test]
    public void A_file_shows_its_kind_mode_size_owner_and_time()
    {
        string path = CreateFile("file", "12345");
        Assert.That(FilePath.TrySetMode(path, 0x1A0), Is.EqualTo(Errno.None));   // 0640
        Assert.That(FileStatus.ReadLink(path, out FileStatus status), Is.EqualTo(Errno.None));
        Assert.That(status.Kind, Is.EqualTo(FileKind.Regular));
        Assert.That(status.Permissions, Is.EqualTo(0x1A0));
        Assert.That(status.Size, Is.EqualTo(5));
        Assert.That(status.Links, Is.EqualTo(1));
        Assert.That(status.User, Is.EqualTo(Libc.geteuid()));
        var modified = new DateTimeOffset(File.GetLastWriteTimeUtc(path)).ToUnixTimeSeconds();
        Assert.That(status.ModifiedSeconds, Is.EqualTo(modified));
        Assert.That(status.ModifiedNanoseconds, Is.LessThan(1_000_000_000));
    }

    [Test]
    public void A_directory_is_one()
    {
        Assert.That(FileStatus.ReadLink(At("."), out FileStatus status), Is.EqualTo(Errno.None));
        Assert.That(status.Kind, Is.EqualTo(FileKind.Directory));
        Assert.That(status.Permissions, Is.EqualTo(FilePath.OwnerOnlyDirectory));
    }

    [Test]
    public void A_socket_is_one()
    {
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Bind(new UnixSocketEndPoint(At("s")));
        Assert.That(FileStatus.ReadLink(At("s"), out FileStatus status), Is.EqualTo(Errno.None));
        Assert.That(status.Kind, Is.EqualTo(FileKind.Socket));
    }

    [Test]
    public void An_open_file_is_the_same_as_its_name_and_not_as_another()
    {
        string path = CreateFile("one", "1");
        using var handle = new DescriptorHandle(Open(path));
        Assert.That(FileStatus.Read(handle.Fd, out FileStatus open), Is.EqualTo(Errno.None));
        Assert.That(FileStatus.Read(path, out FileStatus named), Is.EqualTo(Errno.None));
        Assert.That(FileStatus.Read(CreateFile("two", "1"), out FileStatus other), Is.EqualTo(Errno.None));
        Assert.That(open.IsSameFileAs(named));
        Assert.That(open.IsSameFileAs(other), Is.False);
    }

#if NET
    [Test]
    public void A_link_is_looked_at_itself_or_followed()
    {
        File.CreateSymbolicLink(At("link"), CreateFile("target", "123"));
        Assert.That(FileStatus.ReadLink(At("link"), out FileStatus link), Is.EqualTo(Errno.None));
        Assert.That(FileStatus.Read(At("link"), out FileStatus target), Is.EqualTo(Errno.None));
        Assert.That(link.Kind, Is.EqualTo(FileKind.SymbolicLink));
        Assert.That(target.Kind, Is.EqualTo(FileKind.Regular));
        Assert.That(target.Size, Is.EqualTo(3));
        Assert.That(FileDescriptor.TryOpen(At("link"), OpenFlags.NoFollow, 0, out _), Is.EqualTo(Errno.ELOOP));
    }
#endif

    [Test]
    public void What_is_missing_has_no_status()
    {
        Assert.That(FileStatus.ReadLink(At("missing"), out FileStatus status), Is.EqualTo(Errno.ENOENT));
        Assert.That(status, Is.EqualTo(default(FileStatus)));
        Assert.That(FileStatus.Read(-1, out _), Is.EqualTo(Errno.EBADF));
    }
}
