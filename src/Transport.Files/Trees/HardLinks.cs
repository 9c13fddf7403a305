using System;
using System.Collections.Generic;

namespace Transport.Files;

/// <summary>The hard links to create at the end, in order: 32 bytes each and both names. Safe for any thread.</summary>
internal sealed class HardLinks
{
    private const int LongestName = 255;
    private readonly object _gate = new();
    private readonly ChunkedList<Link> _links = new();
    private readonly NameStore _names = new();

    /// <summary>Adds a hard link.</summary>
    /// <param name="parent">The directory of the new name.</param>
    /// <param name="name">The new name, checked.</param>
    /// <param name="from">The directory of the existing file.</param>
    /// <param name="fromName">Its name, checked.</param>
    public void Add(Folder parent, string name, Folder from, string fromName)
    {
        Span<byte> both = stackalloc byte[(2 * LongestName) + 1];
        int length = Utf8Names.Write(name.AsSpan(), both), fromLength = Utf8Names.Write(fromName.AsSpan(), both.Slice(length));
        lock (_gate)
        {
            byte[] names = _names.Add(both.Slice(0, length + fromLength), out ushort at);
            _links.Add(new Link(parent, from, names, at, (byte)length, (byte)fromLength));
        }
    }

    /// <summary>Lists the hard links after the last one was added.</summary>
    public IEnumerable<(Folder Parent, string Name, Folder From, string FromName)> InOrder()
    {
        for (int i = 0; i < _links.Count; i++)
        {
            Link link = _links[i];
            yield return (link.Parent, link.Name, link.From, link.FromName);
        }
    }

    private readonly struct Link(Folder parent, Folder from, byte[] names, ushort at, byte length, byte fromLength)
    {
        public Folder Parent { get; } = parent;

        public Folder From { get; } = from;

        public string Name => EntryName.FromBytes(names.AsSpan(at, length));

        public string FromName => EntryName.FromBytes(names.AsSpan(at + length, fromLength));
    }
}
