using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Logging;
using Transport.Logging;
using Transport.Testing.Links;

namespace Transport.TestHost.Workers;

/// <summary>The helper as a worker that logs at every level whenever it is sent a number, and says how often a message had to be
/// formatted.</summary>
internal static class LevelModes
{
    /// <summary>Messages of each level a round.</summary>
    public const int Each = 500;

    /// <summary>What a change of the level adds to the answer.</summary>
    public const int Change = 1_000_000;

    /// <summary>With the level added: what it says when it has heard of one.</summary>
    public const int Heard = 1_000_000_000;

    public static readonly Dictionary<string, Func<string[], Task<int>>> All = new(StringComparer.Ordinal)
    {
        ["worker-levels"] = _ => RunAsync(),
    };

    private static async Task<int> RunAsync()
    {
        int changes = 0;
        int serial = 0;   // no two messages alike: the tables would else hide what they cost
        ILogger? logger = null;
        Link? link = null;
        var linked = new TaskCompletionSource<bool>();
        PacketRouter router = new PacketRouter().On(NumberPacket.Type, async (asked, context) =>
        {
            await linked.Task.ConfigureAwait(false);
            int formatted = LogAtEveryLevel(logger!, ref serial);
            _ = await link!.SendAsync(NumberPacket.Type, formatted + (Change * Volatile.Read(ref changes))).ConfigureAwait(false);
        });
        link = await WorkerHost.ConnectAsync(router).ConfigureAwait(false);
        link.LevelsChanged += (_, levels) =>
        {
            Interlocked.Increment(ref changes);
            _ = link.TrySend(NumberPacket.Type, Heard + (int)levels.Least);
        };
        using var provider = new TransportLoggerProvider(link);
        logger = provider.CreateLogger("levels");
        linked.SetResult(true);
        await link.Completion.ConfigureAwait(false);
        return 0;
    }

    private static int LogAtEveryLevel(ILogger logger, ref int serial)
    {
        int formatted = 0;
        for (int i = 0; i < Each; i++)
        {
            for (LogLevel level = LogLevel.Trace; level <= LogLevel.Critical; level++)
            {
                logger.Log(level, default, serial++, null, (number, _) =>
                {
                    formatted++;
                    return $"message {number} with a text that is as long as those of a build usually are: obj/Debug/net10.0/{number}.dll";
                });
            }
        }

        return formatted;
    }
}
