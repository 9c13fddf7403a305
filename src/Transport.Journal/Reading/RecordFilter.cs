using System;
using System.Collections.Generic;
using System.Text;
using Transport.Journal.Format;

namespace Transport.Journal.Reading;

/// <summary>What a reader shows, and the names of nodes as text.</summary>
internal sealed class RecordFilter
{
    private const int MostNames = 1024;

    private readonly long _from;
    private readonly long _after;
    private readonly long? _before;
    private readonly HashSet<string>? _nodes;
    private readonly HashSet<ushort>? _types;
    private readonly List<(byte[] Utf8, string Name, bool Shown)> _names = [];
    private int _last;

    public RecordFilter(JournalReaderOptions options)
    {
        _from = options.From;
        _after = options.After is { } after ? RecordTime.Of(after) : long.MinValue;
        _before = options.Before is { } before ? RecordTime.Of(before) : null;
        _nodes = options.Nodes is null ? null : new HashSet<string>(options.Nodes, StringComparer.Ordinal);
        _types = options.Types is null ? null : [.. options.Types];
    }

    /// <summary>Whether the packet is shown, with its header and its node's name.</summary>
    public bool Shows(RecordScanner at, out RecordHeader header, out string node)
    {
        header = at.Header;
        node = string.Empty;
        if (header.Position < _from || header.Time < _after || header.Time >= _before || (_types is not null && !_types.Contains(header.Type)))
        {
            return false;
        }

        bool shown;
        (node, shown) = NameOf(at.Node);
        return shown;
    }

    private (string Name, bool Shown) NameOf(ReadOnlySpan<byte> utf8)
    {
        if (_last < _names.Count && utf8.SequenceEqual(_names[_last].Utf8))
        {
            return (_names[_last].Name, _names[_last].Shown);
        }

        for (int i = 0; i < _names.Count; i++)
        {
            if (utf8.SequenceEqual(_names[i].Utf8))
            {
                _last = i;
                return (_names[i].Name, _names[i].Shown);
            }
        }

        byte[] bytes = utf8.ToArray();
        string name = Encoding.UTF8.GetString(bytes);
        bool shown = _nodes is null || _nodes.Contains(name);
        if (_names.Count < MostNames)
        {
            _last = _names.Count;
            _names.Add((bytes, name, shown));
        }

        return (name, shown);
    }
}
