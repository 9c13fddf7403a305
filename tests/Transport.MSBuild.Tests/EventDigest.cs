using System;
using System.IO;
using System.Security.Cryptography;
using System.Text.Json;

namespace Transport.MSBuild.Tests;

/// <summary>Many events in a few bytes: two runs of events are the same if their digests are.</summary>
internal sealed class EventDigest : IDisposable
{
    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private readonly MemoryStream _text = new();

    public long Events { get; private set; }

    public void Add(BuildEvent one)
    {
        _text.SetLength(0);
        using (var json = new Utf8JsonWriter(_text))
        {
            BuildEventJson.Write(json, one);
        }

        _hash.AppendData(_text.GetBuffer(), 0, (int)_text.Length);
        Events++;
    }

    public string Finish() => Convert.ToHexString(_hash.GetHashAndReset());

    public void Dispose()
    {
        _hash.Dispose();
        _text.Dispose();
    }
}
