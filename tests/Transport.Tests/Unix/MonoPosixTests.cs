using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Mono.Unix.Native;
using NUnit.Framework;
using Errno = Transport.Errno;
using OpenFlags = Transport.OpenFlags;
using TheirFlags = Mono.Unix.Native.OpenFlags;
using Theirs = Mono.Unix.Native.Errno;

namespace Transport.Tests.Unix;

/// <summary>Our binding of the C library against Mono.Posix, the reference on that runtime: the same call on the same thing, value by
/// value. It has no flock and no statx, so of those the results alone are compared.</summary>
[TestFixture]
public sealed class MonoPosixTests : UnixFixture
{
    private static IEnumerable<(string Name, Theirs Number)> Errors => Enum.GetValues(typeof(Errno)).Cast<Errno>()
        .Where(error => error != Errno.None).Select(error => (error.ToString(), (Theirs)Enum.Parse(typeof(Theirs), error.ToString())));

    [Test]
    public void The_status_of_each_kind_of_file_is_the_same()
    {
        string file = CreateFile("file", "12345");
        Assert.That(Syscall.link(file, At("hard link")), Is.Zero);
        Assert.That(Syscall.symlink(file, At("link")), Is.Zero);
        Assert.That(Syscall.symlink("nothing", At("broken")), Is.Zero);
        Assert.That(Syscall.mkfifo(At("fifo"), FilePermissions.S_IRUSR | FilePermissions.S_IWUSR), Is.Zero);
        Assert.That(Syscall.mkdir(At("folder"), FilePermissions.ACCESSPERMS), Is.Zero);
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Bind(new UnixSocketEndPoint(At("socket")));
        string[] all =
            [file, At("hard link"), At("link"), At("broken"), At("fifo"), At("folder"), At("socket"), At("missing"), "/dev/null"];
        foreach (string path in all)
        {
            Same(path, FileStatus.ReadLink(path, out FileStatus own), own, Syscall.lstat(path, out Stat theirs), theirs);
            Same(path, FileStatus.Read(path, out own), own, Syscall.stat(path, out theirs), theirs);
        }

        using var handle = new DescriptorHandle(Open(file));
        Same("open", FileStatus.Read(handle.Fd, out FileStatus open), open, Syscall.fstat(handle.Fd, out Stat opened), opened);
        Assert.That(open.Links, Is.EqualTo(2));
    }

    [Test]
    public void Every_mode_that_one_sets_the_other_reads()
    {
        string file = CreateFile("file", string.Empty);
        for (int mode = 0; mode <= 0x1FF; mode++)
        {
            Assert.That(FilePath.TrySetMode(file, mode), Is.EqualTo(Errno.None));
            Assert.That(Syscall.lstat(file, out Stat theirs), Is.Zero);
            Assert.That((int)(theirs.st_mode & FilePermissions.ACCESSPERMS), Is.EqualTo(mode));
            Assert.That(Syscall.chmod(file, (FilePermissions)(0x1FF - mode)), Is.Zero);
            Assert.That(FileStatus.ReadLink(file, out FileStatus own), Is.EqualTo(Errno.None));
            Assert.That(own.Permissions, Is.EqualTo(0x1FF - mode));
        }
    }

    [Test]
    public void Calls_that_fail_fail_alike()
    {
        string file = CreateFile("file", "1");
        string folder = At("folder");
        Assert.That(Syscall.mkdir(folder, FilePermissions.ACCESSPERMS), Is.Zero);
        CreateFile("folder/in it", "1");
        Assert.That(Syscall.symlink(At("round"), At("round")), Is.Zero);
        string longName = At(new string('x', 300));
        Fails("open a missing file", FileDescriptor.TryOpen(At("missing"), OpenFlags.ReadOnly, 0, out _),
            Syscall.open(At("missing"), TheirFlags.O_RDONLY));
        Fails("open below a file", FileDescriptor.TryOpen(file + "/x", OpenFlags.ReadOnly, 0, out _),
            Syscall.open(file + "/x", TheirFlags.O_RDONLY));
        Fails("open a folder to write", FileDescriptor.TryOpen(folder, OpenFlags.WriteOnly, 0, out _),
            Syscall.open(folder, TheirFlags.O_WRONLY));
        Fails("create what is there", FileDescriptor.TryOpen(file, OpenFlags.WriteOnly | OpenFlags.Create | OpenFlags.Exclusive, 0, out _),
            Syscall.open(file, TheirFlags.O_WRONLY | TheirFlags.O_CREAT
                | TheirFlags.O_EXCL, FilePermissions.S_IRUSR));
        Fails("open a link that leads to itself", FileDescriptor.TryOpen(At("round"), OpenFlags.ReadOnly, 0, out _),
            Syscall.open(At("round"), TheirFlags.O_RDONLY));
        Fails("a name that is too long", FileDescriptor.TryOpen(longName, OpenFlags.ReadOnly, 0, out _),
            Syscall.open(longName, TheirFlags.O_RDONLY));
        Fails("make a folder that is there", FilePath.TryCreateDirectory(folder, 0x1C0), Syscall.mkdir(folder, FilePermissions.S_IRWXU));
        Fails("unlink a folder", FilePath.TryUnlink(folder), Syscall.unlink(folder));
        Fails("rename what is missing", FilePath.TryRename(At("missing"), At("x")), Stdlib.rename(At("missing"), At("x")));
        Fails("set the mode of what is missing", FilePath.TrySetMode(At("missing"), 0), Syscall.chmod(At("missing"), 0));
        Fails("status of no descriptor", FileStatus.Read(-1, out _), Syscall.fstat(-1, out _));
        Fails("sync a pipe", OnPipe(FileDescriptor.TrySync), OnPipe(fd => Syscall.fsync(fd)));
    }

    [Test]
    public void Each_error_has_the_same_number_and_one_without_a_name_here_the_systems_text()
    {
        foreach ((string name, Theirs theirs) in Errors)
        {
            Assert.That((int)Enum.Parse(typeof(Errno), name), Is.EqualTo(NativeConvert.FromErrno(theirs)), name);
        }

        Assert.That(((Errno)NativeConvert.FromErrno(Theirs.EMULTIHOP)).Describe(), Does.StartWith(Stdlib.strerror(Theirs.EMULTIHOP)));
    }

    [Test]
    public void Flags_and_signals_have_the_same_numbers()
    {
        Assert.That(OpenFlags.Create, Is.EqualTo(NativeConvert.FromOpenFlags(TheirFlags.O_CREAT)));
        Assert.That(OpenFlags.Exclusive, Is.EqualTo(NativeConvert.FromOpenFlags(TheirFlags.O_EXCL)));
        Assert.That(OpenFlags.NonBlocking, Is.EqualTo(NativeConvert.FromOpenFlags(TheirFlags.O_NONBLOCK)));
        Assert.That(OpenFlags.CloseOnExec, Is.EqualTo(NativeConvert.FromOpenFlags(TheirFlags.O_CLOEXEC)));
        Assert.That(OpenFlags.Directory, Is.EqualTo(NativeConvert.FromOpenFlags(TheirFlags.O_DIRECTORY)));
        Assert.That(OpenFlags.NoFollow, Is.EqualTo(NativeConvert.FromOpenFlags(TheirFlags.O_NOFOLLOW)));
        Assert.That(NativeConvert.FromSignum(Signum.SIGKILL), Is.EqualTo(Libc.SIGKILL));
        Assert.That(NativeConvert.FromSignum(Signum.SIGTERM), Is.EqualTo(Libc.SIGTERM));
        Assert.That(NativeConvert.FromWaitOptions(WaitOptions.WNOHANG), Is.EqualTo(Libc.WNoHang));
        Assert.That(NativeConvert.FromFcntlCommand(FcntlCommand.F_GETFD), Is.EqualTo(Libc.GetDescriptorFlags));
        Assert.That(NativeConvert.FromFcntlCommand(FcntlCommand.F_GETFL), Is.EqualTo(Libc.GetStatusFlags));
        foreach (Signum signal in Enum.GetValues(typeof(Signum)).Cast<Signum>().Where(s => NativeConvert.TryFromSignum(s, out _)))
        {
            // Those that have two names are in Mono.Posix under the older ones.
            string name = signal switch
            {
                Signum.SIGIOT => "SIGABRT", Signum.SIGCLD => "SIGCHLD", Signum.SIGPOLL => "SIGIO", _ => $"{signal}",
            };
            if (name != nameof(Signum.SIGUNUSED))
            {
                Assert.That(SignalNames.Of(NativeConvert.FromSignum(signal)), Is.EqualTo(name));
            }
        }

        Assert.That(Libc.geteuid(), Is.EqualTo(Syscall.geteuid()));
        Assert.That(FileDescriptor.Limit(), Is.EqualTo(Syscall.sysconf(SysconfName._SC_OPEN_MAX)));
    }

    [Test]
    public void What_one_sets_on_a_descriptor_the_other_sees()
    {
        Assert.That(FileDescriptor.TryCreatePipe(out int read, out int write), Is.EqualTo(Errno.None));
        using var reading = new DescriptorHandle(read);
        using var writing = new DescriptorHandle(write);
        Assert.That(Syscall.fcntl(read, FcntlCommand.F_GETFD) & 1, Is.EqualTo(1), "close on exec");
        Assert.That(FileDescriptor.TrySetNonBlocking(read), Is.EqualTo(Errno.None));
        int flags = NativeConvert.FromOpenFlags(TheirFlags.O_NONBLOCK);
        Assert.That(Syscall.fcntl(read, FcntlCommand.F_GETFL) & flags, Is.EqualTo(flags));
        Assert.That(FileDescriptor.TryRead(read, new byte[1], out _), Is.EqualTo(Errno.EAGAIN));
        IntPtr one = Marshal.AllocHGlobal(1);
        Assert.That(Syscall.write(write, one, 1), Is.EqualTo(1));
        Marshal.FreeHGlobal(one);
        var poll = new[] { new Pollfd { fd = read, events = PollEvents.POLLIN } };
        Assert.That(Syscall.poll(poll, 0), Is.EqualTo(1));
        PollFd[] own = [new PollFd { Fd = read, Events = PollFd.Input }];
        Assert.That(FileDescriptor.TryPoll(own, 0, out int ready), Is.EqualTo(Errno.None));
        Assert.That((ready, (int)own[0].Revents), Is.EqualTo((1, (int)NativeConvert.FromPollEvents(poll[0].revents))));
    }

    [Test]
    public void A_file_that_is_locked_is_so_for_every_other_opening()
    {
        string file = CreateFile("file", string.Empty);
        using var first = new DescriptorHandle(Open(file, OpenFlags.ReadWrite));
        int other = Syscall.open(file, TheirFlags.O_RDWR);
        using var second = new DescriptorHandle(other);
        Assert.That(FileDescriptor.TryLock(first.Fd, Libc.LockExclusive | Libc.LockAtOnce), Is.EqualTo(Errno.None));
        Errno refused = FileDescriptor.TryLock(other, Libc.LockShared | Libc.LockAtOnce);
        Assert.That((int)refused, Is.EqualTo(NativeConvert.FromErrno(Theirs.EAGAIN)));
        Assert.That(FileDescriptor.TryLock(first.Fd, Libc.Unlock), Is.EqualTo(Errno.None));
        Assert.That(FileDescriptor.TryLock(other, Libc.LockShared | Libc.LockAtOnce), Is.EqualTo(Errno.None));
    }

    private static T OnPipe<T>(Func<int, T> call)
    {
        Assert.That(FileDescriptor.TryCreatePipe(out int read, out int write), Is.EqualTo(Errno.None));
        using var reading = new DescriptorHandle(read);
        using var writing = new DescriptorHandle(write);
        return call(write);
    }

    /// <summary>The error of their call is the thread's last, so theirs comes second.</summary>
    private static void Fails(string what, Errno own, int theirs)
    {
        Theirs error = Stdlib.GetLastError();
        Assert.That(theirs, Is.EqualTo(-1), what);
        Assert.That((int)own, Is.EqualTo(NativeConvert.FromErrno(error)), what);
        Assert.That(own, Is.Not.EqualTo(Errno.None), what);
    }

    private static void Same(string what, Errno error, FileStatus own, int result, Stat theirs)
    {
        Theirs last = Stdlib.GetLastError();
        Assert.That(result == 0, Is.EqualTo(error == Errno.None), what);
        if (error != Errno.None)
        {
            Assert.That((int)error, Is.EqualTo(NativeConvert.FromErrno(last)), what);
            return;
        }

        Assert.That(own.Mode, Is.EqualTo(NativeConvert.FromFilePermissions(theirs.st_mode)), what);
        Assert.That((own.Links, own.User, own.Group, own.Size),
            Is.EqualTo(((uint)theirs.st_nlink, theirs.st_uid, theirs.st_gid, theirs.st_size)), what);
        Assert.That(own.Inode, Is.EqualTo(theirs.st_ino), what);
        Assert.That((own.ModifiedSeconds, (long)own.ModifiedNanoseconds), Is.EqualTo((theirs.st_mtime, theirs.st_mtime_nsec)), what);
    }
}
