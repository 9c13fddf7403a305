using System;
using System.Collections.Generic;

namespace Transport.Journal;

/// <summary>What a reader shows, and the names of nodes as text.</summary>
internal sealed class RecordFilter
{
    private const int MostNames = 1024;

    private readonly long _from;
    private readonly long _after;
    private readonly long? _before;
    private readonly HashSet<string>? _nodes;
    private readonly HashSet<ushort>? _types;
    private readonly NodeTable<Known> _names = new();

    public RecordFilter(JournalReaderOptions options)
    {
        _from = options.From;
        _after = options.After is { } after ? RecordTime.Of(after) : long.MinValue;
        _before = options.Before is { } before ? RecordTime.Of(before) : null;
        _nodes = options.Nodes is null ? null : new HashSet<string>(options.Nodes, StringComparer.Ordinal);
        _types = options.Types is null ? null : [.. options.Types];
    }

    /// <summary>Whether the packet is shown, with its header and its node's name.</summary>
    /// <exception cref="JournalException"><see cref="JournalFault.Damaged"/>: the name is none.</exception>
    public bool Shows(RecordScanner at, out RecordHeader header, out string node)
    {
        header = at.Header;
        node = string.Empty;
        if (header.Position < _from || header.Time < _after || header.Time >= _before
            || (_types is not null && !_types.Contains(header.Type)))
        {
            return false;
        }

        bool shown;
        (node, shown) = NameOf(at.Node, header.Position);
        return shown;
    }

    private (string Name, bool Shown) NameOf(ReadOnlySpan<byte> utf8, long position)
    {
        if (_names.Find(utf8, 0) is { } known)
        {
            return (known.Name, known.Shown);
        }

        string name = NodeNames.Of(utf8, position);
        bool shown = _nodes is null || _nodes.Contains(name);
        if (_names.Count < MostNames)
        {
            _names.Add(utf8, 0, new Known(name, shown));
        }

        return (name, shown);
    }

    private sealed record Known(string Name, bool Shown);
}
