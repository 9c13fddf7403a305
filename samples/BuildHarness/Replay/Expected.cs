using System;
using System.Collections.Generic;
using Transport.MSBuild;

namespace BuildHarness.Replay;

/// <summary>What should arrive: hash and number of the recorded events, of all together or of each recorded node. One thread until it is
/// finished, then immutable.</summary>
/// <param name="isByNode">Whether each node has its own.</param>
internal sealed class Expected(bool isByNode) : IDisposable
{
    private readonly Dictionary<string, BuildEventHash> _hashes = new(StringComparer.Ordinal);
    private readonly Dictionary<string, (string Hash, long Events)> _finished = new(StringComparer.Ordinal);

    /// <summary>Gets the number of all events.</summary>
    public long Events { get; private set; }

    public void Add(string node, BuildEvent one) => HashOf(node).Add(one);

    public void Add(string node, ushort type, ReadOnlyMemory<byte> body) => HashOf(node).Add(type, body.Span);

    /// <summary>Ends the hashes.</summary>
    public void Finish()
    {
        _ = HashOf(string.Empty);   // also of a recording without events
        foreach ((string node, BuildEventHash hash) in _hashes)
        {
            Events += hash.Events;
            _finished[node] = (hash.Finish(), hash.Events);
        }
    }

    /// <summary>Gets what a worker should send.</summary>
    /// <param name="node">The recorded node; null: all.</param>
    public (string Hash, long Events) Of(string? node) => _finished.GetValueOrDefault(node ?? string.Empty);

    public void Dispose()
    {
        foreach (BuildEventHash hash in _hashes.Values)
        {
            hash.Dispose();
        }
    }

    private BuildEventHash HashOf(string node)
    {
        string key = isByNode ? node : string.Empty;
        if (!_hashes.TryGetValue(key, out BuildEventHash? hash))
        {
            _hashes.Add(key, hash = new BuildEventHash());
        }

        return hash;
    }
}
