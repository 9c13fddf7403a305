using System;
using NUnit.Framework;

namespace Transport.Files.Tests.Kit;

/// <summary>The two implementations of the library, which promise the same unless a test says otherwise.</summary>
public enum Way
{
    /// <summary>Relative to handles of directories: 64-bit Linux.</summary>
    ByHandle,

    /// <summary>By paths: every other system; here it runs on Linux.</summary>
    ByPath,
}

/// <summary>Chooses the implementation.</summary>
internal static class WayExtensions
{
    public static FileOutputOptions On(this Way way, FileOutputOptions? options = null)
    {
        options ??= new FileOutputOptions();
        options.Managed = way == Way.ByPath ? options.Managed ?? new ManagedCalls() : null;
        return options;
    }

    /// <summary>Gets a value indicating whether this is Mono, whose calls by path know less.</summary>
    private static bool IsMono => Type.GetType("Mono.Runtime") is not null;

    /// <summary>What a file keeps of its time: .NET counts in 100 ns, Mono keeps microseconds.</summary>
    public static FileTime Kept(this Way way, FileTime time) =>
        way == Way.ByPath ? new FileTime(time.Seconds, time.Nanoseconds - (time.Nanoseconds % (IsMono ? 1000 : 100))) : time;

    /// <summary>Ends a test that makes symbolic links by path on Mono, which cannot.</summary>
    public static void NeedsLinks(this Way way)
    {
        if (IsMono)
        {
            way.NeedsHandles("symbolic links by path need .NET 6");
        }
    }

    /// <summary>Ends a test of what is promised on 64-bit Linux alone, and prints why.</summary>
    public static void NeedsHandles(this Way way, string why)
    {
        if (way == Way.ByPath)
        {
            Assert.Ignore("only by handles: " + why);
        }
    }
}
