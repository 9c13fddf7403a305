using System;
using System.Collections.Generic;
using System.IO.Hashing;
using System.Runtime.InteropServices;
using System.Text;

namespace Unpack;

/// <summary>
/// The paths of a tree so far, to find what is named twice or lies behind something that is no folder. Of each it keeps a hash of 128 bits
/// with a seed that is drawn anew for each table: so memory is some 40 bytes a path, however long the names. Two paths of one hash would
/// only be refused.
/// </summary>
/// <param name="folds">The file system takes names that differ in case, or in how accents are composed, for one.</param>
/// <param name="most">The most paths, implied folders counted.</param>
internal sealed class PathTable(bool folds, int most)
{
    private readonly Dictionary<PathKey, PathKind> _paths = [];
    private readonly long _seed = Random.Shared.NextInt64();
    private string _folder = string.Empty;   // the last one that was looked for, and is there

    private enum PathKind : byte
    {
        ImpliedDirectory,
        Directory,
        SymbolicLink,
        File,
    }

    /// <summary>Puts an entry into the tree.</summary>
    /// <param name="path">Normalised; empty for the root.</param>
    /// <param name="kind">What it becomes. A hard link counts as what it is a link to.</param>
    /// <returns>Why it is refused, or null.</returns>
    public string? Add(string path, EntryKind kind)
    {
        if (path.Length == 0)
        {
            return kind == EntryKind.Directory ? null : "it would take the place of the whole tree";
        }

        if (AddFolders(path) is { } fault)
        {
            return fault;
        }

        ref PathKind was = ref Place(path, out bool existed);
        if (existed)
        {
            return Again(ref was, kind);
        }

        was = kind switch
        {
            EntryKind.Directory => PathKind.Directory,
            EntryKind.SymbolicLink => PathKind.SymbolicLink,
            _ => PathKind.File,
        };
        return TooMany();
    }

    /// <summary>Looks for what a hard link names.</summary>
    /// <param name="path">Normalised.</param>
    /// <param name="kind">What is there.</param>
    /// <returns>Why it cannot be linked to, or null.</returns>
    public string? FindTarget(string path, out EntryKind kind)
    {
        kind = EntryKind.File;
        for (int slash = path.IndexOf('/', StringComparison.Ordinal); slash > 0; slash = path.IndexOf('/', slash + 1))
        {
            if (_paths.TryGetValue(Key(path.AsSpan(0, slash)), out PathKind folder) && folder >= PathKind.SymbolicLink)
            {
                return Through(folder);
            }
        }

        if (path.Length == 0)
        {
            return "the hard link names a folder";
        }

        if (!_paths.TryGetValue(Key(path), out PathKind found))
        {
            return "no earlier entry has the name that the hard link gives";
        }

        kind = found == PathKind.SymbolicLink ? EntryKind.SymbolicLink : EntryKind.File;
        return found <= PathKind.Directory ? "the hard link names a folder" : null;
    }

    /// <summary>Adds the folders that a path implies, but for those of the path before.</summary>
    private string? AddFolders(string path)
    {
        int last = path.LastIndexOf('/');
        if (last <= 0 || path.AsSpan(0, last).SequenceEqual(_folder))
        {
            return null;
        }

        for (int slash = path.IndexOf('/', StringComparison.Ordinal); slash > 0; slash = path.IndexOf('/', slash + 1))
        {
            ref PathKind folder = ref Place(path.AsSpan(0, slash), out bool existed);
            if (existed && folder >= PathKind.SymbolicLink)
            {
                return Through(folder);
            }

            if (!existed && TooMany() is { } full)
            {
                return full;
            }
        }

        _folder = path[..last];
        return null;
    }

    private string? Again(ref PathKind was, EntryKind kind)
    {
        bool wasDirectory = was <= PathKind.Directory;
        if (wasDirectory && kind == EntryKind.Directory)
        {
            was = PathKind.Directory;
            return null;
        }

        string alike = folds ? " (this file system takes names that differ in case or accents for one)" : string.Empty;
        return (wasDirectory || kind == EntryKind.Directory
            ? "there is a folder and something else of this name"
            : "there are two entries of this name") + alike;
    }

    private static string Through(PathKind kind) => kind == PathKind.SymbolicLink
        ? "its path leads through a symbolic link of the archive"
        : "its path leads through a file of the archive: there is a folder and something else of this name";

    private string? TooMany() => _paths.Count <= most ? null
        : FormattableString.Invariant($"there are more than {most} entries and folders (--limit-entries)");

    private ref PathKind Place(ReadOnlySpan<char> path, out bool existed) =>
        ref CollectionsMarshal.GetValueRefOrAddDefault(_paths, Key(path), out existed);

    private PathKey Key(ReadOnlySpan<char> path)
    {
        ReadOnlySpan<char> name = folds ? path.ToString().Normalize(NormalizationForm.FormC).ToUpperInvariant() : path;
        UInt128 hash = XxHash128.HashToUInt128(MemoryMarshal.AsBytes(name), _seed);
        return new PathKey((ulong)(hash >> 64), (ulong)hash);
    }

    /// <summary>A <see cref="UInt128"/> stands at multiples of 16, which would cost half as much again.</summary>
    private readonly record struct PathKey(ulong High, ulong Low);
}
