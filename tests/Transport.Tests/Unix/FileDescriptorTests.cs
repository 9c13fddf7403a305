using System;
using System.Diagnostics;
using System.IO;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;
using NUnit.Framework;

namespace Transport.Tests.Unix;

[TestFixture]
public sealed unsafe class FileDescriptorTests : UnixFixture
{
    [Test]
    public void A_new_file_has_the_mode_that_open_was_given_and_no_child_inherits_it()
    {
        int flags = OpenFlags.ReadWrite | OpenFlags.Create | OpenFlags.Exclusive;
        using var file = new DescriptorHandle(Open(At("new"), flags));
        Assert.That(FileStatus.Read(file.Fd, out FileStatus status), Is.EqualTo(Errno.None));
        Assert.That(status.Permissions, Is.EqualTo(FilePath.OwnerOnly));
        Assert.That(Libc.Fcntl(file.Fd, Libc.GetDescriptorFlags) & Libc.CloseOnExecFlag, Is.EqualTo(Libc.CloseOnExecFlag));
        Assert.That(FileDescriptor.TryOpen(At("new"), flags, FilePath.OwnerOnly, out _), Is.EqualTo(Errno.EEXIST));
    }

    [Test]
    public void A_pipe_carries_bytes_and_ends()
    {
        Assert.That(FileDescriptor.TryCreatePipe(out int read, out int write), Is.EqualTo(Errno.None));
        using var reader = new DescriptorHandle(read);
        using var writer = new DescriptorHandle(write);
        foreach (int end in new[] { read, write })
        {
            Assert.That(end, Is.GreaterThan(2));
            Assert.That(Libc.Fcntl(end, Libc.GetDescriptorFlags) & Libc.CloseOnExecFlag, Is.EqualTo(Libc.CloseOnExecFlag));
        }

        Assert.That(FileDescriptor.TryWriteAll(write, Encoding.ASCII.GetBytes("hello")), Is.EqualTo(Errno.None));
        byte[] buffer = new byte[16];
        Assert.That(FileDescriptor.TryRead(read, buffer, out int count), Is.EqualTo(Errno.None));
        Assert.That(Encoding.ASCII.GetString(buffer, 0, count), Is.EqualTo("hello"));
        writer.Dispose();
        Assert.That(FileDescriptor.TryRead(read, buffer, out count), Is.EqualTo(Errno.None));
        Assert.That(count, Is.Zero);
    }

    [Test]
    public void Poll_waits_for_its_time_and_then_reports_that_nothing_is_ready()
    {
        Assert.That(WakePipe.TryCreate(out WakePipe? pipe), Is.EqualTo(Errno.None));
        using (pipe)
        {
            var watch = Stopwatch.StartNew();
            PollFd[] fds = [new PollFd { Fd = pipe!.ReadEnd, Events = PollFd.Input }];
            Assert.That(FileDescriptor.TryPoll(fds, 100, out int ready), Is.EqualTo(Errno.None));
            Assert.That(ready, Is.Zero);
            Assert.That(watch.ElapsedMilliseconds, Is.GreaterThanOrEqualTo(95));
            Assert.That(FileDescriptor.TryPoll(fds, 0, out ready), Is.EqualTo(Errno.None));
            Assert.That(ready, Is.Zero);
        }
    }

    [Test]
    public void A_wake_pipe_wakes_once_for_many_signals_and_never_blocks_the_signaller()
    {
        Assert.That(WakePipe.TryCreate(out WakePipe? pipe), Is.EqualTo(Errno.None));
        using (pipe)
        {
            PollFd[] fds = [new PollFd { Fd = pipe!.ReadEnd, Events = PollFd.Input }];
            var signaller = new Thread(() =>
            {
                for (int i = 0; i < 200_000; i++)   // more than a pipe of 64 KiB holds
                {
                    pipe.Signal();
                }
            });
            signaller.Start();
            Assert.That(FileDescriptor.TryPoll(fds, 90_000, out int ready), Is.EqualTo(Errno.None));
            Assert.That(ready, Is.EqualTo(1));
            Assert.That(fds[0].IsReady);
            Assert.That(signaller.Join(90_000), "a full pipe held up the signaller");
            pipe.Reset();
            Assert.That(FileDescriptor.TryPoll(fds, 0, out ready), Is.EqualTo(Errno.None));
            Assert.That(ready, Is.Zero);
            pipe.Signal();
            Assert.That(FileDescriptor.TryPoll(fds, 90_000, out ready), Is.EqualTo(Errno.None));
            Assert.That(ready, Is.EqualTo(1));
        }
    }

    [Test]
    public void Signals_interrupt_neither_a_read_nor_the_time_of_a_poll()
    {
        Assume.That(Libc.IsLinux, "The test sends a signal to one thread with Linux's tgkill.");
        Assert.That(FileDescriptor.TryCreatePipe(out int read, out int write), Is.EqualTo(Errno.None));
        using var reader = new DescriptorHandle(read);
        using var writer = new DescriptorHandle(write);
        using var signals = new SignalStorm();
        Errno polled = Errno.EIO, got = Errno.EIO;
        int ready = -1, count = -1;
        long took = 0;
        var thread = new Thread(() =>
        {
            signals.Aim();
            var watch = Stopwatch.StartNew();
            polled = FileDescriptor.TryPoll([new PollFd { Fd = read, Events = PollFd.Input }], 300, out ready);
            took = watch.ElapsedMilliseconds;
            got = FileDescriptor.TryRead(read, new byte[1], out count);
            signals.Stop();
        });
        thread.Start();
        Assert.That(SpinWait.SpinUntil(() => Volatile.Read(ref took) > 0, 90_000), "the poll did not end");
        int sent = signals.Sent;
        Assert.That(SpinWait.SpinUntil(() => signals.Sent > sent + 20, 90_000), "no signals arrive");
        Assert.That(FileDescriptor.TryWriteAll(write, [1]), Is.EqualTo(Errno.None));
        Assert.That(thread.Join(90_000), "the read did not end");
        Assert.That((polled, ready), Is.EqualTo((Errno.None, 0)));
        Assert.That(took, Is.InRange(295, 60_000));
        Assert.That((got, count), Is.EqualTo((Errno.None, 1)));
    }

    [Test]
    public void A_lock_excludes_another_descriptor_of_the_same_file_until_it_is_closed()
    {
        string path = CreateFile("lock", string.Empty);
        using var second = new DescriptorHandle(Open(path));
        using (var first = new DescriptorHandle(Open(path)))
        {
            Assert.That(FileDescriptor.TryLock(first.Fd, Libc.LockExclusive | Libc.LockAtOnce), Is.EqualTo(Errno.None));
            Assert.That(FileDescriptor.TryLock(second.Fd, Libc.LockExclusive | Libc.LockAtOnce), Is.EqualTo(Errno.EAGAIN));
            Assert.That(FileDescriptor.TryLock(second.Fd, Libc.LockShared | Libc.LockAtOnce), Is.EqualTo(Errno.EAGAIN));
        }

        Assert.That(FileDescriptor.TryLock(second.Fd, Libc.LockExclusive | Libc.LockAtOnce), Is.EqualTo(Errno.None));
    }

    [Test]
    public void Bytes_are_read_and_written_behind_4_GiB()
    {
        const long Far = (5L << 30) + 3;
        using var file = new DescriptorHandle(Open(At("far"), OpenFlags.ReadWrite | OpenFlags.Create));
        byte sent = 7, got = 0;
        Assert.That(Libc.WriteAt(file.Fd, &sent, (UIntPtr)1, Far), Is.EqualTo(1));
        Assert.That(Libc.ReadAt(file.Fd, &got, (UIntPtr)1, Far), Is.EqualTo(1));
        Assert.That(got, Is.EqualTo(sent));
        Assert.That(FileDescriptor.TrySyncData(file.Fd), Is.EqualTo(Errno.None));
        Assert.That(FileDescriptor.TrySync(file.Fd), Is.EqualTo(Errno.None));
        Assert.That(new FileInfo(At("far")).Length, Is.EqualTo(Far + 1));
    }

    [Test]
    public void A_redirected_descriptor_means_the_other_file()
    {
        using var target = new DescriptorHandle(Open(CreateFile("target", "t")));
        using var source = new DescriptorHandle(Open(CreateFile("source", "s")));
        Assert.That(FileDescriptor.TryRedirect(source.Fd, target.Fd), Is.EqualTo(Errno.None));
        byte[] one = new byte[1];
        Assert.That(FileDescriptor.TryRead(target.Fd, one, out _), Is.EqualTo(Errno.None));
        Assert.That((char)one[0], Is.EqualTo('s'));
    }

    [Test]
    public void The_peer_of_a_socket_is_this_user()
    {
        using var listener = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        listener.Bind(new UnixSocketEndPoint(At("s")));
        listener.Listen(1);
        using var client = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        client.Connect(new UnixSocketEndPoint(At("s")));
        using Socket server = listener.Accept();
        Assert.That(SocketPeer.TryRead((int)server.Handle, out SocketPeer peer), Is.EqualTo(Errno.None));
        Assert.That(peer.User, Is.EqualTo(Libc.geteuid()));
        using Process self = Process.GetCurrentProcess();
        Assert.That(peer.Process, Is.EqualTo(Libc.IsLinux ? self.Id : null));
        using var file = new DescriptorHandle(Open(CreateFile("no socket", "x")));
        Assert.That(SocketPeer.TryRead(file.Fd, out _), Is.EqualTo(Errno.ENOTSOCK));
    }

    [Test]
    public void The_limit_of_descriptors_is_known() => Assert.That(FileDescriptor.Limit(), Is.GreaterThan(16));

    /// <summary>Sends a signal with an empty handler to one thread, again and again: its calls return EINTR.</summary>
    private sealed class SignalStorm : IDisposable
    {
        private const int Signal = 23;   // SIGURG: ignored by default, used by neither runtime
        private readonly Thread _sender;
        private readonly ManualResetEventSlim _isAimed = new();
        private int _target, _sent;
        private volatile bool _isStopped;

        public SignalStorm()
        {
            // A handler without SA_RESTART, whose code is libc's own getpid-like function: it ignores its argument.
            byte* action = stackalloc byte[256];
            new Span<byte>(action, 256).Clear();
            *(IntPtr*)action = Handler();
            Assert.That(sigaction(Signal, action, null), Is.Zero);
            _sender = new Thread(Send) { IsBackground = true };
            _sender.Start();
        }

        public int Sent => Volatile.Read(ref _sent);

        /// <summary>Aims at the calling thread.</summary>
        public void Aim()
        {
            _target = gettid();
            _isAimed.Set();
        }

        public void Stop()
        {
            _isStopped = true;
            _isAimed.Set();
            _sender.Join();
        }

        public void Dispose()
        {
            Stop();
            _isAimed.Dispose();
        }

        private static IntPtr Handler()
        {
            IntPtr library = dlopen("libc.so.6", 1);
            IntPtr function = dlsym(library, "geteuid");   // async-signal-safe, and touches nothing
            Assert.That(function, Is.Not.EqualTo(IntPtr.Zero));
            return function;
        }

        private void Send()
        {
            _isAimed.Wait();
            using Process self = Process.GetCurrentProcess();
            int process = self.Id;
            var spin = new SpinWait();
            while (!_isStopped)
            {
                _ = tgkill(process, _target, Signal);
                Interlocked.Increment(ref _sent);
                spin.SpinOnce();
            }
        }

        [DllImport("libc")]
        private static extern int sigaction(int signal, byte* action, byte* before);

        [DllImport("libc")]
        private static extern int gettid();

        [DllImport("libc")]
        private static extern int tgkill(int process, int thread, int signal);

        [DllImport("libc", CharSet = CharSet.Ansi, BestFitMapping = false, ThrowOnUnmappableChar = true)]
        private static extern IntPtr dlopen(string name, int flags);

        [DllImport("libc", CharSet = CharSet.Ansi, BestFitMapping = false, ThrowOnUnmappableChar = true)]
        private static extern IntPtr dlsym(IntPtr library, string name);
    }
}
