using System;
using System.Collections.Generic;
using System.Threading;

namespace Transport.Files.Tests.Kit;

/// <summary>
/// Linux's system calls with faults. Before each call a test is asked, by the call's word and the entry's name, for the error number it
/// fails with; the test may do something of its own first.
/// </summary>
internal sealed class FaultyCalls(Func<string, string, int> fault) : UnixCalls
{
    private readonly List<string> _log = [];
    private readonly Dictionary<int, string> _names = [];

    /// <summary>Makes calls of which the first so many of one word fail.</summary>
    public static FaultyCalls First(int times, string call, int errno)
    {
        int left = times;
        return new FaultyCalls((word, _) => word == call && Interlocked.Decrement(ref left) >= 0 ? errno : 0);
    }

    /// <summary>Gets the calls so far, "word name".</summary>
    public string[] Log
    {
        get
        {
            lock (_log)
            {
                return [.. _log];
            }
        }
    }

    public override int Open(int directory, string path, int flags, int mode = 0)
    {
        string word = (flags & LinuxFlags.Create) != 0 ? "create" : "open";
        int failed = Ask(word, path);
        int answer = failed != 0 ? failed : base.Open(directory, path, flags, mode);
        lock (_log)
        {
            _names[answer] = path;
        }

        return answer;
    }

    public override int OpenBeneath(int directory, string path, int flags) =>
        Ask("beneath", path) is var failed and not 0
            ? failed
            : base.OpenBeneath(directory, path, flags);

    public override int MakeDirectory(int directory, string name, int mode) =>
        Ask("mkdir", name) is var failed and not 0
            ? failed
            : base.MakeDirectory(directory, name, mode);

    public override int Write(int fd, ReadOnlySpan<byte> bytes) =>
        Ask("write", Name(fd)) is var failed and not 0
            ? failed
            : base.Write(fd, bytes);

    public override int Close(int fd)
    {
        int failed = Ask("close", Name(fd));
        int closed = base.Close(fd);
        return failed != 0 ? failed : closed;
    }

    protected override int SyncOnce(int fd) =>
        Ask("sync", Name(fd)) is var failed and not 0
            ? failed
            : base.SyncOnce(fd);

    public override int List(int fd, Span<byte> buffer) =>
        Ask("list", Name(fd)) is var failed and not 0
            ? failed
            : base.List(fd, buffer);

    public override int SetMode(int fd, int mode) =>
        Ask("mode", Name(fd)) is var failed and not 0
            ? failed
            : base.SetMode(fd, mode);

    public override int SetTime(int fd, FileTime modified) =>
        Ask("time", Name(fd)) is var failed and not 0
            ? failed
            : base.SetTime(fd, modified);

    public override int MakeSymbolicLink(string target, int directory, string name) =>
        Ask("symlink", name) is var failed and not 0
            ? failed
            : base.MakeSymbolicLink(target, directory, name);

    public override int LinkOpenFile(int fd, int directory, string name) =>
        Ask("linkopen", name) is var failed and not 0
            ? failed
            : base.LinkOpenFile(fd, directory, name);

    public override int Rename(int fromDirectory, string from, int directory, string name, int flags) =>
        Ask("rename" + flags, name) is var failed and not 0
            ? failed
            : base.Rename(fromDirectory, from, directory, name, flags);

    public override int Remove(int directory, string name, bool isDirectory) =>
        Ask(isDirectory ? "rmdir" : "unlink", name) is var failed and not 0
            ? failed
            : base.Remove(directory, name, isDirectory);

    protected override int LockOnce(int fd) =>
        Ask("lock", Name(fd)) is var failed and not 0
            ? failed
            : base.LockOnce(fd);

    public override int Reserve(int fd, long offset, long length, bool keepsSize) =>
        Ask("reserve", Name(fd)) is var failed and not 0
            ? failed
            : base.Reserve(fd, offset, length, keepsSize);

    private string Name(int fd)
    {
        lock (_log)
        {
            return _names.TryGetValue(fd, out string? name) ? name : "?";
        }
    }

    private int Ask(string word, string name)
    {
        lock (_log)
        {
            _log.Add(word + " " + name);
        }

        return -fault(word, name);
    }
}
