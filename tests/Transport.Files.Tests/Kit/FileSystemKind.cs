using System;
using NUnit.Framework;

namespace Transport.Files.Tests.Kit;

/// <summary>The two implementations of <see cref="IFileSystem"/>. They behave the same unless a test says otherwise.</summary>
public enum FileSystemKind
{
    /// <summary>By directory handles, on 64-bit Linux.</summary>
    Unix,

    /// <summary>By paths, on every other system; here it runs on Linux.</summary>
    Portable,
}

/// <summary>Chooses the implementation and names the differences.</summary>
internal static class FileSystemKinds
{
    /// <summary>Gets a value indicating whether this is Mono, whose calls by path know less.</summary>
    private static bool IsMono => Type.GetType("Mono.Runtime") is not null;

    /// <summary>Returns options with this file system, unless they have one.</summary>
    public static FileOutputOptions On(this FileSystemKind kind, FileOutputOptions? options = null)
    {
        options ??= new FileOutputOptions();
        options.FileSystem ??= kind == FileSystemKind.Unix
            ? new UnixFileSystem(new UnixCalls())
            : new PortableFileSystem(new PortableCalls());
        return options;
    }

    /// <summary>Returns what a file keeps of its time: .NET counts in 100 ns, Mono keeps microseconds.</summary>
    public static FileTime Kept(this FileSystemKind kind, FileTime time) => kind == FileSystemKind.Unix
        ? time
        : new FileTime(time.Seconds, time.Nanoseconds - (time.Nanoseconds % (IsMono ? 1000 : 100)));

    /// <summary>Ends a test that creates symbolic links by path on Mono, which cannot.</summary>
    public static void RequiresLinks(this FileSystemKind kind)
    {
        if (IsMono)
        {
            kind.RequiresUnix("symbolic links by path need .NET 6");
        }
    }

    /// <summary>Ends a test of what only Unix promises, and prints the reason.</summary>
    public static void RequiresUnix(this FileSystemKind kind, string reason)
    {
        if (kind == FileSystemKind.Portable)
        {
            Assert.Ignore("only on Unix: " + reason);
        }
    }
}
