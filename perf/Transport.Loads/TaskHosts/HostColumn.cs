using System;
using Transport.Loads.Rivals;

namespace Transport.Loads.TaskHosts;

/// <summary>The columns of the scenario <c>taskhost</c>.</summary>
internal static class HostColumn
{
    /// <summary>This library with its tables of texts and maps.</summary>
    public const string Tables = "tables";

    /// <summary>MSBuild's shape over a named pipe whose buffers have 1 MB, its default since 18.9.</summary>
    public const string Pipe1M = "MSBuild 1 MB";

    /// <summary>The same with 128 KB, its default before.</summary>
    public const string Pipe128K = "MSBuild 128 KB";

    /// <summary>Bare sockets with blocking calls, the objects serialized as MSBuild does.</summary>
    public const string Bare = "bare";

    /// <summary>The order in tables and files.</summary>
    public static readonly string[] All = [Column.Transport, Tables, Pipe1M, Pipe128K, Bare];

    public static int PipeBuffer(string column) => column switch
    {
        Pipe1M => 1 << 20,
        Pipe128K => 128 << 10,
        _ => throw new ArgumentOutOfRangeException(nameof(column), column, "No such column."),
    };

    public static IHosts Connect(string column, HostTraffic traffic, string[] address) => column switch
    {
        Column.Transport or Tables => new LinkHosts(traffic, address, useTables: column == Tables),
        Bare => new BareHosts(traffic, address),
        _ => new PipeHosts(traffic, address),
    };
}
