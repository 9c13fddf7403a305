using System;
using System.Text;
using Transport.Files;

namespace BuildHarness.Archives.Names;

/// <summary>
/// The paths of a tree so far, to find what is named twice or lies behind something that is no folder. A node is its parent and the hash of
/// one name, with a key that is drawn anew for each table: so memory is 24 bytes a path, however long the names. That two of a million
/// names are taken for one has a chance of 3 in 100 million, nobody can bring it about, and then an archive is refused that need not be.
/// </summary>
/// <param name="folds">The file system takes names that differ in case, or in how accents are composed, for one.</param>
/// <param name="most">The most paths, implied folders counted.</param>
internal sealed class PathTable(bool folds, int most)
{
    private const int Root = 0, None = -1;

    private readonly ChunkedList<Node> _nodes = OnlyRoot();
    private readonly SipHash _hash = SipHash.Create();
    private int[] _slots = new int[1024];

    private enum NodeKind : byte
    {
        ImpliedDirectory,
        Directory,
        SymbolicLink,
        File,
    }

    /// <summary>Gets how many paths there are, without the root.</summary>
    public int Count => _nodes.Count - 1;

    /// <summary>Puts an entry into the tree.</summary>
    /// <param name="path">Normalised; empty for the root.</param>
    /// <param name="kind">What it becomes. A hard link counts as what it is a link to.</param>
    /// <returns>Why it is refused, or null.</returns>
    public string? Add(ReadOnlySpan<byte> path, EntryKind kind)
    {
        if (path.IsEmpty)
        {
            return kind == EntryKind.Directory ? null : "it would take the place of the whole tree";
        }

        int parent = Root;
        while (true)
        {
            int slash = path.IndexOf((byte)'/');
            ulong name = Key(slash < 0 ? path : path[..slash]);
            int slot = Find(parent, name);
            int node = _slots[slot] - 1;
            if (slash < 0)
            {
                return node < 0 ? Insert(slot, parent, name, Of(kind)) : Again(node, kind);
            }

            if (node < 0)
            {
                node = _nodes.Count;
                if (Insert(slot, parent, name, NodeKind.ImpliedDirectory) is { } full)
                {
                    return full;
                }
            }
            else if (_nodes[node].Kind >= NodeKind.SymbolicLink)
            {
                return Through(node);
            }

            parent = node;
            path = path[(slash + 1)..];
        }
    }

    /// <summary>Looks for what a hard link names.</summary>
    /// <param name="path">Normalised.</param>
    /// <param name="kind">What is there.</param>
    /// <returns>Why it cannot be linked to, or null.</returns>
    public string? FindTarget(ReadOnlySpan<byte> path, out EntryKind kind)
    {
        kind = EntryKind.File;
        int parent = Root;
        while (!path.IsEmpty)
        {
            int slash = path.IndexOf((byte)'/');
            int node = _slots[Find(parent, Key(slash < 0 ? path : path[..slash]))] - 1;
            if (node < 0)
            {
                return "no earlier entry has the name that the hard link gives";
            }

            NodeKind found = _nodes[node].Kind;
            if (slash < 0 && found >= NodeKind.SymbolicLink)
            {
                kind = found == NodeKind.File ? EntryKind.File : EntryKind.SymbolicLink;
                return null;
            }

            if (found >= NodeKind.SymbolicLink)
            {
                return Through(node);
            }

            parent = node;
            path = slash < 0 ? default : path[(slash + 1)..];
        }

        return "the hard link names a folder";
    }

    private static ChunkedList<Node> OnlyRoot()
    {
        var nodes = new ChunkedList<Node>();
        nodes.Add(new Node { Kind = NodeKind.Directory, Parent = None });
        return nodes;
    }

    private static NodeKind Of(EntryKind kind) => kind switch
    {
        EntryKind.Directory => NodeKind.Directory,
        EntryKind.SymbolicLink => NodeKind.SymbolicLink,
        _ => NodeKind.File,
    };

    private string? Again(int node, EntryKind kind)
    {
        NodeKind was = _nodes[node].Kind;
        bool wasDirectory = was <= NodeKind.Directory;
        if (wasDirectory && kind == EntryKind.Directory)
        {
            _nodes[node].Kind = NodeKind.Directory;
            return null;
        }

        string alike = folds ? " (this file system takes names that differ in case or accents for one)" : string.Empty;
        return (wasDirectory || kind == EntryKind.Directory
            ? "there is a folder and something else of this name"
            : "there are two entries of this name") + alike;
    }

    private string Through(int node) => _nodes[node].Kind == NodeKind.SymbolicLink
        ? "its path leads through a symbolic link of the archive"
        : "its path leads through a file of the archive: there is a folder and something else of this name";

    private string? Insert(int slot, int parent, ulong name, NodeKind kind)
    {
        if (Count >= most)
        {
            return FormattableString.Invariant($"there are more than {most} entries and folders (--limit-entries)");
        }

        _nodes.Add(new Node { Parent = parent, Kind = kind, Name = name });
        _slots[slot] = _nodes.Count;
        if (_nodes.Count > _slots.Length / 2)
        {
            Grow();
        }

        return null;
    }

    private ulong Key(ReadOnlySpan<byte> name) =>
        _hash.Of(folds ? Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(name).Normalize(NormalizationForm.FormC).ToUpperInvariant())
            : name);

    /// <summary>Where the name is among the slots, or is to be put.</summary>
    private int Find(int parent, ulong name)
    {
        int mask = _slots.Length - 1;
        for (int slot = (int)(name ^ ((ulong)parent * 0x9E3779B97F4A7C15)) & mask; ; slot = (slot + 1) & mask)
        {
            int node = _slots[slot] - 1;
            if (node < 0 || (_nodes[node].Parent == parent && _nodes[node].Name == name))
            {
                return slot;
            }
        }
    }

    private void Grow()
    {
        _slots = new int[_slots.Length * 2];
        for (int node = Root + 1; node < _nodes.Count; node++)
        {
            _slots[Find(_nodes[node].Parent, _nodes[node].Name)] = node + 1;
        }
    }

    private struct Node
    {
        public ulong Name;
        public int Parent;
        public NodeKind Kind;
    }
}
