using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;

namespace Transport.Files;

/// <summary>Empties a directory by several threads, each in another directory: in one the kernel removes an entry at a time.</summary>
/// <remarks>
/// <para>The newest directory is taken first, so that about as many handles are open as threads times levels. What it does not remove
/// (below <see cref="Deepest"/> levels, without a handle, after a failure) is left to <see cref="TreeRemover"/>, whose answer
/// counts.</para>
/// <para>Links are never followed, and directories on which something is mounted are left alone. One lock guards the directories that wait,
/// their counts, and the threads.</para>
/// </remarks>
internal sealed class RemovalCrew
{
    private const int Deepest = 24;
    private const int NoteEvery = 32;          // entries; a directory may have a million
    private const int StackBytes = 256 << 10;

    private static readonly long s_long = Stopwatch.Frequency / 1000;   // 1 ms: those that wait are noted by a few

    private readonly object _gate = new();
    private readonly UnixCalls _calls;
    private readonly WriterScale _scale;
    private readonly CancellationToken _cancellationToken;
    private readonly Stack<Directory> _ready = new();
    private readonly List<Thread> _threads = [];
    private ulong _device;
    private int _busy;      // threads that have a directory
    private int _working;   // threads that have not ended, the caller's among them

    private RemovalCrew(UnixCalls calls, int? writers, CancellationToken cancellationToken)
    {
        _calls = calls;
        _scale = new WriterScale(writers is 0 ? 1 : writers);
        _cancellationToken = cancellationToken;
    }

    /// <summary>Removes everything in a directory.</summary>
    /// <param name="calls">The system calls.</param>
    /// <param name="directory">The directory's handle.</param>
    /// <param name="writers">How many threads; null: as many as pay; 0 and 1: the caller's alone.</param>
    /// <param name="cancellationToken">If it is cancelled, what has not been removed stays.</param>
    /// <returns>0, or the error number of the first entry that could not be removed.</returns>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public static int Empty(UnixCalls calls, int directory, int? writers, CancellationToken cancellationToken)
    {
        new RemovalCrew(calls, writers, cancellationToken).Run(directory);
        cancellationToken.ThrowIfCancellationRequested();
        return TreeRemover.Empty(calls, directory);
    }

    private void Run(int root)
    {
        if (_calls.Look(root, string.Empty, out UnixStatus status) < 0)
        {
            return;
        }

        _device = status.Device;
        _ready.Push(new Directory(null, string.Empty, 0) { Handle = root });
        _working = 1;
        Work();
        Thread[] threads;
        lock (_gate)
        {
            threads = [.. _threads];
        }

        foreach (Thread thread in threads)
        {
            thread.Join();   // nobody adds any more: each has found that nothing is left
        }
    }

    private void Work()
    {
        while (Take() is { } directory)
        {
            List<string> below;
            try
            {
                below = directory.Handle >= 0 || TryOpen(directory) ? Clear(directory) : [];
            }
            catch (Exception)
            {
                (below, directory.IsLeft) = ([], true);   // whoever empties what is left meets the same, on the caller's thread
            }

            lock (_gate)
            {
                directory.Open += below.Count;
                foreach (string name in below)
                {
                    _ready.Push(new Directory(directory, name, directory.Depth + 1));
                }

                _busy--;
                StartMore();
                Monitor.PulseAll(_gate);
            }

            Leave(directory);
        }
    }

    private Directory? Take()
    {
        lock (_gate)
        {
            while (_working <= _scale.Count && (_ready.Count > 0 || _busy > 0))
            {
                if (_ready.Count > 0)
                {
                    _busy++;
                    return _ready.Pop();
                }

                Monitor.Wait(_gate);
            }

            _working--;
            return null;
        }
    }

    /// <summary>Under the lock: starts threads for the directories that wait, as many as pay.</summary>
    private void StartMore()
    {
        while (_working < _scale.Count && _busy + _ready.Count > _working && _threads.Count < WriterScale.Most)
        {
            var thread = new Thread(Work, StackBytes) { IsBackground = true, Name = "Transport.Files remover" };
            if (!Threads.TryStart(thread.Start))
            {
                return;
            }

            _threads.Add(thread);
            _working++;
        }
    }

    /// <summary>Removes a directory's files. Gives the names of the directories in it.</summary>
    private List<string> Clear(Directory directory)
    {
        List<string> below = [];
        int error = DirectoryListing.TryRead(_calls, directory.Handle, out List<(string Name, bool IsDirectory)> entries);
        directory.IsLeft |= error != 0;
        long since = Stopwatch.GetTimestamp();
        int removed = 0;
        foreach ((string name, bool isDirectory) in entries)
        {
            if (_cancellationToken.IsCancellationRequested)
            {
                directory.IsLeft = true;
                return [];
            }

            if (isDirectory)
            {
                below.Add(name);
                continue;
            }

            int answer = _calls.Remove(directory.Handle, name, isDirectory: false);
            directory.IsLeft |= answer is < 0 and not -Errno.NoEntry;   // a directory, where the file system does not say so, among them
            if (++removed == NoteEvery || Stopwatch.GetTimestamp() - since > s_long)
            {
                since = Note(removed, since);
                removed = 0;
            }
        }

        _ = Note(removed, since);
        if (directory.Depth < Deepest)
        {
            return below;
        }

        directory.IsLeft |= below.Count > 0;
        return [];
    }

    private long Note(int removed, long since)
    {
        long now = Stopwatch.GetTimestamp();
        lock (_gate)
        {
            _scale.Note(removed, 0, now - since);
            StartMore();
        }

        return now;
    }

    private bool TryOpen(Directory directory)
    {
        int handle = _calls.Open(
            directory.Parent!.Handle, directory.Name, LinuxFlags.ReadOnly | LinuxFlags.Directory | LinuxFlags.NoFollow);
        if (handle < 0)
        {
            directory.IsLeft = true;
            return false;
        }

        directory.Handle = handle;
        directory.IsLeft = _calls.Look(handle, string.Empty, out UnixStatus status) < 0 || status.Device != _device;
        return !directory.IsLeft;
    }

    /// <summary>One of those who hold a directory lets go: itself, or one below it. The last removes it, and then lets go of its
    /// parent.</summary>
    private void Leave(Directory directory)
    {
        for (Directory? one = directory; one is not null; one = one.Parent)
        {
            lock (_gate)
            {
                if (--one.Open > 0)
                {
                    return;
                }
            }

            if (one.Parent is not { } parent)
            {
                return;   // the root's handle is the caller's, and it stays
            }

            if (one.Handle >= 0)
            {
                _ = _calls.Close(one.Handle);
            }

            bool isLeft = one.IsLeft || _calls.Remove(parent.Handle, one.Name, isDirectory: true) is < 0 and not -Errno.NoEntry;
            lock (_gate)
            {
                parent.IsLeft |= isLeft;
            }
        }
    }

    /// <summary>A directory on its way out.</summary>
    private sealed class Directory(Directory? parent, string name, int depth)
    {
        public Directory? Parent => parent;

        public string Name => name;

        public int Depth => depth;

        /// <summary>Gets or sets its handle; -1 before it is open. Of whoever has it.</summary>
        public int Handle { get; set; } = -1;

        /// <summary>Gets or sets how many hold it: the thread that clears it, and each directory below it. Under the lock.</summary>
        public int Open { get; set; } = 1;

        /// <summary>Gets or sets a value indicating whether something in it stays for <see cref="TreeRemover"/>. By who clears it, then
        /// under the lock by those below.</summary>
        public bool IsLeft { get; set; }
    }
}
