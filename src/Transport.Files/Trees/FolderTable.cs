using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;

namespace Transport.Files.Trees;

/// <summary>The directories of an output and the names of its symbolic links, as the caller named them: no directory is made here. Safe for any thread.</summary>
/// <remarks>What a path may be is decided here, once for each: relative, '/' between names, no name empty, "." or "..", no NUL, names of at most 255 bytes, 4,095 in all.</remarks>
internal sealed class FolderTable
{
    private const int LongestName = 255;
    private const int LongestPath = 4095;
    private readonly object _gate = new();
    private readonly HashSet<string> _links = new(StringComparer.Ordinal);
    private Folder?[] _buckets = new Folder?[256];
    private int _count;
    private string _lastPath = string.Empty;
    private Folder _last;

    public FolderTable()
    {
        // Every hash begins with the root's, so nobody can name a million directories of one bucket.
        byte[] seed = new byte[sizeof(uint)];
        using var source = RandomNumberGenerator.Create();
        source.GetBytes(seed);
        _last = Root = new Folder(null, string.Empty, BitConverter.ToUInt32(seed, 0));
    }

    public Folder Root { get; }

    /// <summary>Finds, or notes, the directories above an entry.</summary>
    /// <param name="path">The entry's path.</param>
    /// <param name="name">Its last name.</param>
    /// <returns>The directory that it is in.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.FilePathRefused"/>: the path may not be used.</exception>
    public Folder ParentOf(string path, out string name)
    {
        int slash = (path ?? throw new ArgumentNullException(nameof(path))).LastIndexOf('/');
        CheckLength(path);
        CheckName(path, slash + 1, path.Length);
        name = path.Substring(slash + 1);
        lock (_gate)
        {
            return slash < 0 ? Root : FolderOf(path, slash);
        }
    }

    /// <summary>Finds, or notes, a directory that an entry of its own names; "." is the root, one '/' at the end is allowed.</summary>
    public Folder Named(string path, in FileEntry entry)
    {
        string trimmed = (path ?? throw new ArgumentNullException(nameof(path))).Length > 1 && path[path.Length - 1] == '/' ? path.Substring(0, path.Length - 1) : path;
        CheckLength(trimmed);
        lock (_gate)
        {
            Folder folder = trimmed == "." ? Root : FolderOf(trimmed, trimmed.Length);
            folder.IsNamed = true;
            folder.Mode = entry.Mode is { } mode ? mode & 0x1FF : -1;
            folder.Modified = entry.Modified;
            return folder;
        }
    }

    /// <summary>Finds the directory above an entry that must have been named before.</summary>
    /// <returns>The directory, or null: no entry was in it.</returns>
    public Folder? KnownParentOf(string path, out string name)
    {
        int slash = path.LastIndexOf('/');
        CheckLength(path);
        CheckName(path, slash + 1, path.Length);
        name = path.Substring(slash + 1);
        lock (_gate)
        {
            Folder? folder = Root;
            for (int start = 0; folder is not null && start <= slash;)
            {
                int end = path.IndexOf('/', start);
                CheckName(path, start, end);
                folder = Find(folder, path, start, end, HashOf(folder, path, start, end));
                start = end + 1;
            }

            return folder;
        }
    }

    /// <summary>Notes a symbolic link, so that a path through it is refused by name, whichever of the two a writer gets to first.</summary>
    public void AddLink(string path, Folder parent, string name)
    {
        lock (_gate)
        {
            if (Find(parent, name, 0, name.Length, HashOf(parent, name, 0, name.Length)) is not null)
            {
                throw new TransportException(TransportFault.FileExists, $"'{EntryName.Escape(path)}' is a directory already and cannot become a symbolic link.");
            }

            _links.Add(path);
        }
    }

    /// <summary>Lists the directories, those further down first.</summary>
    public Folder[] DeepestFirst()
    {
        lock (_gate)
        {
            var all = new Folder[_count + 1];
            int at = 0;
            foreach (Folder? first in _buckets)
            {
                for (Folder? folder = first; folder is not null; folder = folder.Next)
                {
                    all[at++] = folder;
                }
            }

            all[at] = Root;
            Array.Sort(all.Select(f => -f.Depth).ToArray(), all);
            return all;
        }
    }

    private static void CheckLength(string path)
    {
        if (path.Length == 0 || path[0] == '/')
        {
            throw Refused(path, path.Length == 0 ? "it is empty" : "it is absolute");
        }

        if (path.Length > LongestPath / 3 && Utf8Names.Count(path.AsSpan()) > LongestPath)
        {
            throw Refused(path.Substring(0, 200) + "…", $"it is longer than {LongestPath} bytes");
        }
    }

    private static void CheckName(string path, int start, int end)
    {
        ReadOnlySpan<char> name = path.AsSpan(start, end - start);
        string? fault = name.Length == 0 ? "a name in it is empty"
            : name[0] == '.' && (name.Length == 1 || (name.Length == 2 && name[1] == '.')) ? "it has '.' or '..' in it"
            : name.IndexOf('\0') >= 0 ? "it has a NUL in it"
            : name.Length > LongestName / 3 && Utf8Names.Count(name) > LongestName ? $"a name in it is longer than {LongestName} bytes"
            : null;
        if (fault is not null)
        {
            throw Refused(path.Length > 300 ? path.Substring(0, 300) + "…" : path, fault);
        }
    }

    private static TransportException Refused(string path, string why) => new(TransportFault.FilePathRefused, $"The path '{EntryName.Escape(path)}' is refused: {why}.");

    private static uint HashOf(Folder parent, string path, int start, int end)
    {
        uint hash = 2166136261u ^ parent.Hash;
        for (int i = start; i < end; i++)
        {
            hash = (hash ^ path[i]) * 16777619u;
        }

        return hash ^ (hash >> 15);
    }

    /// <summary>Entries come folder by folder, so the last one is asked first.</summary>
    private Folder FolderOf(string path, int length)
    {
        if (_lastPath.Length == length && string.CompareOrdinal(path, 0, _lastPath, 0, length) == 0)
        {
            return _last;
        }

        Folder folder = Root;
        for (int start = 0; start <= length;)
        {
            int slash = path.IndexOf('/', start, length - start);
            int end = slash < 0 ? length : slash;
            CheckName(path, start, end);
            uint hash = HashOf(folder, path, start, end);
            folder = Find(folder, path, start, end, hash) ?? Add(folder, path, start, end, hash);
            start = end + 1;
        }

        _lastPath = path.Substring(0, length);
        _last = folder;
        return folder;
    }

    private Folder? Find(Folder parent, string path, int start, int end, uint hash)
    {
        Folder? folder = _buckets[hash & (uint)(_buckets.Length - 1)];
        while (folder is not null
            && (folder.Hash != hash || folder.Parent != parent || folder.Name.Length != end - start || string.CompareOrdinal(folder.Name, 0, path, start, end - start) != 0))
        {
            folder = folder.Next;
        }

        return folder;
    }

    private Folder Add(Folder parent, string path, int start, int end, uint hash)
    {
        if (_links.Count > 0 && _links.Contains(path.Substring(0, end)))
        {
            throw Refused(path, $"it goes through the symbolic link '{EntryName.Escape(path.Substring(0, end))}'");
        }

        if (_count >= _buckets.Length)
        {
            Grow();
        }

        var folder = new Folder(parent, path.Substring(start, end - start), hash);
        Put(folder);
        _count++;
        return folder;
    }

    private void Put(Folder folder)
    {
        ref Folder? bucket = ref _buckets[folder.Hash & (uint)(_buckets.Length - 1)];
        folder.Next = bucket;
        bucket = folder;
    }

    private void Grow()
    {
        Folder?[] old = _buckets;
        _buckets = new Folder?[old.Length * 2];
        foreach (Folder? first in old)
        {
            for (Folder? folder = first; folder is not null;)
            {
                Folder? next = folder.Next;
                Put(folder);
                folder = next;
            }
        }
    }
}
