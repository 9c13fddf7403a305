using System;
using System.Collections.Generic;
using System.Linq;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;
using Transport.Loads.Scenarios;

namespace Transport.Loads.Journals;

/// <summary>Everything that one scenario of journals needs: a folder on a real disk, the process with ours, the floors, the peers as they
/// are wanted.</summary>
internal sealed class JournalBench : IDisposable
{
    /// <summary>The key of a round's sample by the back end uring.</summary>
    public const string Uring = "uring";

    /// <summary>The back end that it is compared with.</summary>
    public const string Write = "write";

    private const int WarmUp = 300;       // ms
    private const int QuickWarmUp = 60;
    private const int QuickRound = 30;

    private readonly RunOptions _options;
    private readonly JournalDisk _disk = new();
    private readonly Dictionary<string, RedisServer?> _servers = new(StringComparer.Ordinal);

    public JournalBench(RunOptions options)
    {
        _options = options;
        Floor = new JournalFloor(_disk.Path);
        Ours = new JournalProcess(_disk.Path, options.Quick);
        options.Say($"journals in {_disk.Path} ({_disk.Format}); C: {Floor.Missing ?? "here"}; sqlite: {SqliteCalls.Missing() ?? "here"}; "
            + $"redis: {RedisServer.Missing() ?? "here"}");
    }

    public JournalFloor Floor { get; }

    public JournalProcess Ours { get; }

    /// <summary>Gets why there is no back end uring here; null if there is, or if nobody has asked yet.</summary>
    public string? WhyNoUring { get; private set; }

    /// <summary>Reports why a column is missing, or null.</summary>
    public string? Why(string? column) => column switch
    {
        Column.Floor => Floor.Missing,
        Column.Sqlite => SqliteCalls.Missing(),
        Column.Redis => RedisServer.Missing(),
        _ => null,
    };

    /// <summary>Makes every rival of a case that is here.</summary>
    public Dictionary<string, IJournalRival> Open(JournalCase load)
    {
        var rivals = new Dictionary<string, IJournalRival>(StringComparer.Ordinal) { [Column.Transport] = Ours.Open(load.Ours) };
        Add(rivals, Column.Floor, Floor.Append(load.Floor, load.Ours, Ours.Kept));
        Add(rivals, Column.Sqlite, load.Sqlite is { } batch ? SqliteRival.Open(_disk.Path, load.Ours.Size, batch) : null);
        Add(rivals, Column.Redis, load.Redis is { } redis ? Server(redis.Sync)?.Set(redis.Clients, redis.Pipelined, load.Ours.Size) : null);
        Add(rivals, Uring, load.Uring ? OpenUring(load.Ours) : null);
        return rivals;
    }

    /// <summary>Opens a journal with the back end uring; null if there is none here, as <see cref="WhyNoUring"/> says.</summary>
    public JournalProcess.Rival? OpenUring(JournalLoad load)
    {
        try
        {
            JournalProcess.Rival ring = Ours.Open(load with { BackEnd = Uring });
            if (ring.BackEnd.StartsWith(Uring, StringComparison.Ordinal))
            {
                return ring;
            }

            WhyNoUring = ring.BackEnd;   // it fell back, and says why
            ring.Dispose();
        }
        catch (LoadException e)
        {
            WhyNoUring = e.Message;
        }

        return null;
    }

    /// <summary>Measures a case: every rival once a round, each in its turn first.</summary>
    public List<Dictionary<string, JournalSample>> Run(JournalCase load, int rounds)
    {
        Dictionary<string, IJournalRival> rivals = Open(load);
        try
        {
            return Rounds(rivals, Length(load), rounds);
        }
        finally
        {
            Close(rivals.Values);
        }
    }

    /// <summary>Measures rivals in turns.</summary>
    public List<Dictionary<string, JournalSample>> Rounds(Dictionary<string, IJournalRival> rivals, int milliseconds, int rounds)
    {
        WarmUpAll(rivals.Values);
        return [.. Enumerable.Range(0, rounds)
            .Select(i => Turns.Rotated(rivals.Keys, i).ToDictionary(c => c, c => rivals[c].Run(milliseconds), StringComparer.Ordinal))];
    }

    /// <summary>Returns how long a round of one column is, in milliseconds.</summary>
    public int Length(JournalCase load) => _options.Quick ? QuickRound : load.Milliseconds;

    public void WarmUpAll(IEnumerable<IJournalRival> rivals)
    {
        foreach (IJournalRival rival in rivals)
        {
            rival.Run(_options.Quick ? QuickWarmUp : WarmUp);
            if (!_options.Quick)
            {
                rival.Run(WarmUp / 2);   // redis' client asks for so many records, and knows only now how many are a round
            }
        }
    }

    public static void Close(IEnumerable<IJournalRival> rivals)
    {
        foreach (IJournalRival rival in rivals)
        {
            rival.Dispose();
        }
    }

    public void Dispose()
    {
        Ours.Dispose();
        foreach (RedisServer? server in _servers.Values)
        {
            server?.Dispose();
        }

        _disk.Dispose();
    }

    private static void Add(Dictionary<string, IJournalRival> rivals, string column, IJournalRival? rival)
    {
        if (rival is not null)
        {
            rivals.Add(column, rival);
        }
    }

    private RedisServer? Server(string sync)
    {
        if (!_servers.TryGetValue(sync, out RedisServer? server))
        {
            _servers[sync] = server = RedisServer.Start(_disk.Path, sync);
        }

        return server;
    }
}
