using System;
using Transport.Files.Managed;
using Transport.Files.Trees;
using Transport.Files.Unix;
using Transport.Files.Writing;

namespace Transport.Files.Publishing;

/// <summary>Chooses between the calls of Linux and the ordinary way of .NET.</summary>
internal static class FileSystem
{
    public static OutputTree OpenTree(string directory, UnixCalls? calls, Retries retries) =>
        Platform.IsLinux ? UnixTree.Open(calls ?? new UnixCalls(), directory, retries) : new ManagedTree(directory, isOwn: false, retries);

    /// <summary>Opens a tree to take files over from; null where there is none, or none can be taken over.</summary>
    public static EarlierTree? OpenEarlier(string? directory, UnixCalls? calls) =>
        directory is not null && directory.IndexOf('\0') < 0 && Platform.IsLinux ? EarlierTree.Open(calls ?? new UnixCalls(), directory) : null;

    public static IStaging MakeStaging(string parent, string name, ExistingTarget existing, UnixCalls? calls, Retries retries) =>
        Platform.IsLinux ? UnixStaging.Make(calls ?? new UnixCalls(), parent, name, existing, retries) : ManagedStaging.Make(parent, name, existing, retries);
}
