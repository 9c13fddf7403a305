using System;
using System.Collections.Generic;

namespace Transport.Files;

/// <summary>The directories of an output and the names of its symbolic links, as the caller named them. Safe for any thread.</summary>
/// <remarks>
/// This decides once what a path may be: relative, '/' between names, no name empty, "." or "..", no NUL, names of at most 255 bytes, 4,095
/// bytes in all. No directory is created here.
/// Names are found by keyed hashes, so nobody can choose a million names of one bucket. Of a symbolic link only such a hash is kept. With a
/// million links and a million directories, the chance that a path is refused by mistake is 5 in 100 million, and nobody can bring it
/// about.
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

    /// <summary>Open addressing: the index of each directory in the list, plus one. At most half full.</summary>
    private int[] _slots = new int[64];
    private string _lastPath = string.Empty;
    private Folder _last;

    public FolderTable() => _last = Root = new Folder(null, [], 0, 0, 0);

    public Folder Root { get; }

    /// <summary>Finds or adds the directories above an entry.</summary>
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

    /// <summary>Finds or adds a directory with an entry of its own. "." is the root, and one '/' at the end is allowed.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="entry">Mode and time.</param>
    /// <exception cref="TransportException"><see cref="TransportFault.FilePathRefused"/>: the path may not be used.</exception>
    public Folder Named(string path, in FileEntry entry)
    {
        _ = path ?? throw new ArgumentNullException(nameof(path));
        string trimmed = path.Length > 1 && path[path.Length - 1] == '/' ? path.Substring(0, path.Length - 1) : path;
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

    /// <summary>Finds the directory above an entry without adding it.</summary>
    /// <param name="path">The entry's path.</param>
    /// <param name="name">Its last name.</param>
    /// <returns>The directory; null if no entry is in it.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.FilePathRefused"/>: the path may not be used.</exception>
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

    /// <summary>Adds a symbolic link, so that every later path through it is refused.</summary>
    /// <param name="path">The link's path.</param>
    /// <param name="parent">Its directory.</param>
    /// <param name="name">Its name.</param>
    /// <exception cref="TransportException"><see cref="TransportFault.FileExists"/>: a directory has that path.</exception>
    public void AddLink(string path, Folder parent, string name)
    {
        lock (_gate)
        {
            if (Find(parent, name.AsSpan(), add: false) is not null)
            {
                string message = $"'{TerminalText.Escape(path)}' is a directory already and cannot become a symbolic link.";
                throw new TransportException(TransportFault.FileExists, message);
            }

            _links.Add(KeyOf(path.AsSpan()));
        }
    }

    /// <summary>Lists the directories, each before its parent, after the last one was added.</summary>
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

    private static TransportException Refused(string path, string why) =>
        new(TransportFault.FilePathRefused, $"The path '{TerminalText.Escape(path)}' is refused: {why}.");

    private ulong KeyOf(ReadOnlySpan<char> path) => _hash.Of(_pathBytes.AsSpan(0, Utf8Names.Write(path, _pathBytes)));

    /// <summary>Entries come directory by directory, so the last directory is compared first.</summary>
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

    /// <summary>Finds a directory by its name, or adds it if asked to.</summary>
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
            throw Refused(path, $"it goes through the symbolic link '{TerminalText.Escape(path.Substring(0, end))}'");
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
