using System;
using System.IO;

namespace Transport.Files;

/// <summary>Chooses between the calls of Linux and the ordinary way of .NET.</summary>
internal static class FileSystem
{
    public static OutputTree OpenTree(string directory, FileOutputOptions options, Retries retries) => IsByHandle(options)
        ? UnixTree.Open(options.Calls ?? new UnixCalls(), directory, retries)
        : Directory.Exists(directory)
            ? new ManagedTree(options.Managed ?? new ManagedCalls(), directory, isOwn: false, retries)
            : throw new FileCallException("open", TransportFault.FileFailed, "no such file or directory");

    /// <summary>Opens a tree to take files over from; null where there is none, or none can be taken over.</summary>
    public static EarlierTree? OpenEarlier(FileOutputOptions options) =>
        options.Earlier is { } directory && directory.IndexOf('\0') < 0 && IsByHandle(options)
            ? EarlierTree.Open(options.Calls ?? new UnixCalls(), directory)
            : null;

    public static IStaging MakeStaging(string parent, string name, FileOutputOptions options, Retries retries) => IsByHandle(options)
        ? UnixStaging.Make(options.Calls ?? new UnixCalls(), parent, name, options.Existing, retries)
        : ManagedStaging.Make(options.Managed ?? new ManagedCalls(), parent, name, options.Existing, retries);

    private static bool IsByHandle(FileOutputOptions options) => Platform.IsLinux && options.Managed is null;
}
