using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace Transport;

/// <summary>posix_spawn, so that this process alone waits for the child and learns its true wait status.</summary>
/// <remarks>
/// vfork and exec happen inside the C library: no managed code runs between them. The signal PR_SET_PDEATHSIG is not used: it fires when
/// the forking thread ends, not the process; a worker notices its main node's end by itself (WorkerHost).
/// </remarks>
internal static unsafe class Spawn
{
    /// <summary>The C library's types are opaque: 80 and 336 bytes with glibc, a pointer on macOS.</summary>
    private const int OpaqueBytes = 512;

    /// <returns>0, or the errno of what failed.</returns>
    public static int Start(ProcessStartOptions start, string file, Dictionary<string, string> environment, int stdout, int stderr,
        out int pid)
    {
        using var strings = new NativeStrings();
        byte* actions = stackalloc byte[OpaqueBytes];
        byte* attributes = stackalloc byte[OpaqueBytes];
        new Span<byte>(actions, OpaqueBytes).Clear();
        new Span<byte>(attributes, OpaqueBytes).Clear();
        pid = 0;
        ChildSignal.Heed();
        int errno = Libc.posix_spawn_file_actions_init(actions);
        if (errno != 0)
        {
            return errno;
        }

        errno = Libc.posix_spawnattr_init(attributes);
        if (errno == 0)
        {
            errno = Prepare(start, strings, actions, attributes, stdout, stderr);
            if (errno == 0)
            {
                byte** argv = strings.Vector([start.FileName, .. start.Arguments]);
                byte** envp = strings.Vector([.. environment.Select(pair => pair.Key + "=" + pair.Value)]);
                int child;
                errno = Libc.posix_spawn(&child, strings.One(file), actions, attributes, argv, envp);
                pid = child;
            }

            _ = Libc.posix_spawnattr_destroy(attributes);
        }

        _ = Libc.posix_spawn_file_actions_destroy(actions);
        return errno;
    }

    private static int Prepare(ProcessStartOptions start, NativeStrings strings, byte* actions, byte* attributes, int stdout, int stderr)
    {
        int errno = start.InheritStandardInput
            ? Libc.posix_spawn_file_actions_adddup2(actions, 0, 0)
            : Libc.posix_spawn_file_actions_addopen(actions, 0, strings.One("/dev/null"), 0, 0);
        errno = First(errno, Libc.posix_spawn_file_actions_adddup2(actions, start.InheritOutput ? 1 : stdout, 1));
        errno = First(errno, Libc.posix_spawn_file_actions_adddup2(actions, start.InheritOutput ? 2 : stderr, 2));
        int firstClosed = FileDescriptor.FirstFree;
        foreach (DescriptorHandle inherited in start.Inherited ?? [])
        {
            errno = First(errno, Libc.posix_spawn_file_actions_adddup2(actions, inherited.Fd, firstClosed++));
        }

        if (start.WorkingDirectory is not null)
        {
            errno = First(errno, Libc.posix_spawn_file_actions_addchdir_np(actions, strings.One(Path.GetFullPath(start.WorkingDirectory))));
        }

        var flags = (short)(Libc.SpawnSetSigDef | Libc.SpawnSetSigMask | (start.OwnProcessGroup ? Libc.SpawnSetPgroup : 0));
        if (Libc.IsMac)
        {
            flags |= Libc.SpawnCloexecDefaultMac;
        }
        else
        {
            errno = First(errno, CloseFrom(actions, firstClosed));
        }

        byte* set = stackalloc byte[128]; // sigset_t: 128 bytes with glibc and musl, 4 on macOS
        new Span<byte>(set, 128).Clear();
        errno = First(errno, Libc.posix_spawnattr_setsigmask(attributes, set));
        new Span<byte>(set, 128).Fill(0xff);
        errno = First(errno, Libc.posix_spawnattr_setsigdefault(attributes, set));
        errno = First(errno, Libc.posix_spawnattr_setpgroup(attributes, 0));
        return First(errno, Libc.posix_spawnattr_setflags(attributes, flags));
    }

    private static int CloseFrom(byte* actions, int first)
    {
        try
        {
            return Libc.posix_spawn_file_actions_addclosefrom_np(actions, first);
        }
        catch (EntryPointNotFoundException)
        {
            return 0; // before glibc 2.34, and musl: the descriptors of .NET, Mono and this library are close-on-exec anyway
        }
    }

    private static int First(int errno, int next) => errno != 0 ? errno : next;
}
