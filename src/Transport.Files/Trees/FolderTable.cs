using System;
using System.Collections.Generic;

namespace Transport.Files;

/// <summary>The directories of an output and the names of its symbolic links, as the caller named them: no directory is made here. Safe for any thread.</summary>
/// <remarks>
/// What a path may be is decided here, once for each: relative, '/' between names, no name empty, "." or "..", no NUL, names of at most 255 bytes, 4,095 in all.
/// Names are found by hashes with a key that is drawn anew, so nobody can name a million directories of one bucket. Of symbolic links nothing but such a hash is kept: that one of a
/// million links and one of a million directories are taken for one has a chance of 5 in 100 million, nobody can bring it about, and then a path is refused that need not be.
/// </remarks>
internal sealed class FolderTable
{
    private const int LongestName = 255;
    private const int LongestPath = 4095;
    private readonly object _gate = new();
    private readonly HashSet<ulong> _links = [];
    private readonly SipHash _hash = SipHash.Create();
    private readonly NameStore _names = new();
    private readonly byte[] _pathBytes = new byte[LongestPath + 1];
    private readonly ChunkedList<Folder> _folders = new();

    /// <summary>Where each directory is in the list, plus one, at its hash or behind it; at most half full.</summary>
    private int[] _slots = new int[64];
    private string _lastPath = string.Empty;
    private Folder _last;

    public FolderTable() => _last = Root = new Folder(null, [], 0, 0, 0);

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
                folder = Find(folder, path.AsSpan(start, end - start), add: false);
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
            if (Find(parent, name.AsSpan(), add: false) is not null)
            {
                throw new TransportException(TransportFault.FileExists, $"'{EntryName.Escape(path)}' is a directory already and cannot become a symbolic link.");
            }

            _links.Add(KeyOf(path.AsSpan()));
        }
    }

    /// <summary>Lists the directories, each before the one that it is in, when none can come any more.</summary>
    public IEnumerable<Folder> DeepestFirst()
    {
        for (int i = _folders.Count - 1; i >= 0; i--)
        {
            yield return _folders[i];
        }

        yield return Root;
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

    private ulong KeyOf(ReadOnlySpan<char> path) => _hash.Of(_pathBytes.AsSpan(0, Utf8Names.Write(path, _pathBytes)));

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
            Folder above = folder;
            ReadOnlySpan<char> name = path.AsSpan(start, end - start);
            if (Find(above, name, add: false) is not { } known)
            {
                RefuseLink(path, end);
                known = Find(above, name, add: true)!;
            }

            folder = known;
            start = end + 1;
        }

        _lastPath = path.Substring(0, length);
        _last = folder;
        return folder;
    }

    /// <summary>Finds a directory by its name, or adds it where that is asked for.</summary>
    private Folder? Find(Folder parent, ReadOnlySpan<char> name, bool add)
    {
        Span<byte> bytes = stackalloc byte[LongestName + 1];
        bytes = bytes.Slice(0, Utf8Names.Write(name, bytes));
        uint hash = (uint)_hash.Of(bytes) ^ (parent.Hash * 0x9E3779B1);
        int slot = SlotOf(hash);
        for (; _slots[slot] != 0; slot = (slot + 1) & (_slots.Length - 1))
        {
            Folder folder = _folders[_slots[slot] - 1];
            if (folder.Hash == hash && folder.Parent == parent && folder.NameBytes.SequenceEqual(bytes))
            {
                return folder;
            }
        }

        return add ? Add(slot, new Folder(parent, _names.Add(bytes, out ushort at), at, bytes.Length, hash)) : null;
    }

    private int SlotOf(uint hash) => (int)hash & (_slots.Length - 1);

    private void RefuseLink(string path, int end)
    {
        if (_links.Count > 0 && _links.Contains(KeyOf(path.AsSpan(0, end))))
        {
            throw Refused(path, $"it goes through the symbolic link '{EntryName.Escape(path.Substring(0, end))}'");
        }
    }

    private Folder Add(int slot, Folder folder)
    {
        _folders.Add(folder);
        _slots[slot] = _folders.Count;
        if (_folders.Count > _slots.Length / 2)
        {
            Grow();
        }

        return folder;
    }

    private void Grow()
    {
        _slots = new int[_slots.Length * 2];
        for (int i = 0; i < _folders.Count; i++)
        {
            int slot = SlotOf(_folders[i].Hash);
            while (_slots[slot] != 0)
            {
                slot = (slot + 1) & (_slots.Length - 1);
            }

            _slots[slot] = i + 1;
        }
    }
}
