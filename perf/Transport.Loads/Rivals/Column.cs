using System;
using Transport.Loads.Events;
using Transport.Loads.Journals;
using Transport.Loads.Restores;
using Transport.Loads.TaskHosts;
using Transport.Loads.Trees;

namespace Transport.Loads.Rivals;

/// <summary>The columns of the tables, and how each is made.</summary>
internal static class Column
{
    /// <summary>This library: MessagePack, <c>Send</c> to a typed handler.</summary>
    public const string Transport = "transport";

    /// <summary>C: bytes encoded beforehand (perf/floor/bytes.c).</summary>
    public const string Bytes = "bytes";

    /// <summary>C#, no queue: encoded by hand on the caller's thread, 64 KB batches, synchronous writes.</summary>
    public const string Raw = "raw";

    /// <summary>A pooled buffer a packet, a channel, one awaited pipe write a packet.</summary>
    public const string Seed = "seed";

    /// <summary>A bounded channel of objects and a consumer that batches.</summary>
    public const string Channel = "channel";

    /// <summary>C: one purpose, the same frames, the same system calls (perf/floor/journal.c, files.c).</summary>
    public const string Floor = "C";

    /// <summary>SQLite with a write-ahead log.</summary>
    public const string Sqlite = "sqlite";

    /// <summary>A redis server with an append-only file.</summary>
    public const string Redis = "redis";

    /// <summary>Producers of one process, without a link.</summary>
    public const string InProcess = "in-process";

    /// <summary>The order in tables and files.</summary>
    public static readonly string[] All = [Transport, Bytes, Raw, Seed, Channel];

    /// <summary>Log packets with nothing beside them.</summary>
    public const string Alone = "log alone";

    /// <summary>Files copied by one program of one process.</summary>
    public const string Cp = "cp -r";

    /// <summary>Files packed by one process and unpacked by another, a pipe between them.</summary>
    public const string TwoTars = "two tars";

    /// <summary>The same without what the row is about.</summary>
    public const string Request = "without";

    /// <summary>The columns of the scenario <c>buffers</c>; the first is this library's own pool.</summary>
    public static readonly string[] OfBuffers = [Transport, LoadBuffers.Recyclable, LoadBuffers.Shared, LoadBuffers.Plain];

    private static readonly string[] s_ofRequests = [Transport, Request];
    private static readonly string[] s_ofCollect = [Transport, Alone, Cp, TwoTars];
    private static readonly string[] s_ofJournal = [Transport, Floor, Sqlite, Redis];

    /// <summary>Gets a scenario's columns.</summary>
    public static string[] Of(string scenario) => scenario.StartsWith("journal", StringComparison.Ordinal) ? s_ofJournal
        : scenario == "files-far" ? [Transport, TreeColumn.TwoWriters, TreeColumn.Tar]
        : scenario == "packages" ? [Transport, TreeColumn.Restore]
        : scenario == "removal" ? [Transport, TreeColumn.Delete, TreeColumn.Rm]
        : scenario.StartsWith("files", StringComparison.Ordinal) ? TreeColumn.OfFiles
        : scenario.StartsWith("extract", StringComparison.Ordinal) ? TreeColumn.OfExtract
        : scenario == "collect" ? s_ofCollect
        : scenario == "durable" ? [Transport, JournalBench.Uring, InProcess, Redis]
        : scenario == "requests" ? s_ofRequests
        : scenario == "buffers" ? OfBuffers
        : scenario == "restore-graph" ? GraphColumn.All
        : scenario == "taskhost" ? [.. HostColumn.All, Request]
        : All;

    public static IEventReceiver Receive(string column, EventSink sink) => column switch
    {
        Transport => new TransportReceiver(sink),
        Raw => RawReceiver.Listen(sink),
        Seed => new PipeReceiver(sink),
        Channel => new StreamReceiver(sink),
        _ => throw new ArgumentOutOfRangeException(nameof(column), column, "No such column."),
    };

    public static IEventSender Send(string column, string address) => column switch
    {
        Transport => new TransportSender(WorkerLink.Connect(address)),
        Raw => new RawSender(address),
        Seed => new SeedSender(address),
        Channel => new ChannelSender(address),
        SerializeOnly.Name => new SerializeOnly(),
        ClockOnly.Name => new ClockOnly(),
        _ => throw new ArgumentOutOfRangeException(nameof(column), column, "No such column."),
    };
}
