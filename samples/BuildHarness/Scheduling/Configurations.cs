using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;
using BuildHarness.Packets;

namespace BuildHarness.Scheduling;

/// <summary>The configurations of a build: path, global properties and tools version distinguish them. Of the <see cref="Schedule"/>'s
/// thread.</summary>
internal sealed class Configurations
{
    /// <summary>Of a longer value the hash distinguishes. Each project of a solution has the solution's configuration among its properties,
    /// which names all its projects.</summary>
    private const int LongValue = 256;

    private readonly Dictionary<string, Configuration> _all = new(StringComparer.Ordinal);
    private readonly ConditionalWeakTable<string, string> _hashes = [];   // by object: a link's table gives the same one each time

    /// <summary>Gets all there are.</summary>
    public IReadOnlyCollection<Configuration> All => _all.Values;

    /// <summary>Returns the configuration of what is asked for.</summary>
    public Configuration Of(ProjectWork work)
    {
        string key = KeyOf(work);
        if (!_all.TryGetValue(key, out Configuration? known))
        {
            _all.Add(key, known = new Configuration(work));
        }

        return known;
    }

    private string KeyOf(ProjectWork work)
    {
        var key = new StringBuilder(OperatingSystem.IsWindows() ? work.Path.ToUpperInvariant() : work.Path);
        foreach ((string name, string value) in work.Properties.OrderBy(p => p.Key, StringComparer.OrdinalIgnoreCase))
        {
            key.Append('\0').Append(name.ToUpperInvariant());
            _ = value.Length > LongValue ? key.Append('#').Append(_hashes.GetValue(value, Hash)) : key.Append('=').Append(value);
        }

        return key.Append('\0').Append(work.ToolsVersion).ToString();
    }

    private static string Hash(string value) => Convert.ToBase64String(SHA256.HashData(MemoryMarshal.AsBytes(value.AsSpan())));
}
