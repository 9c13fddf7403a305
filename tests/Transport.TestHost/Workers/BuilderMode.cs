using System.Globalization;
using System.IO;
using System.Threading.Tasks;

namespace Transport.TestHost.Workers;

/// <summary>
/// A worker of the build harness that builds nothing and says it has. The first of them reports another project than the one it was given.
/// </summary>
internal static class BuilderMode
{
    private const int Stop = 515;

    /// <param name="args">
    /// What the first one reports: an id, <c>other</c>, <c>finished</c>, <c>twice</c> or <c>unasked</c>; then a file that the first one
    /// makes.
    /// </param>
    public static async Task<int> RunAsync(string[] args)
    {
        string lie = IsFirst(args[2]) ? args[1] : string.Empty;
        int last = -1;
        var linked = new TaskCompletionSource<Link>(TaskCreationOptions.RunContinuationsAsynchronously);
        var stopped = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        PacketRouter router = new PacketRouter()
            .On<Asked>(async asked =>
            {
                int reported = lie switch
                {
                    "other" => asked.Id == 0 ? 1 : 0,
                    "finished" => last < 0 ? asked.Id : last,
                    "" or "twice" or "unasked" => asked.Id,
                    _ => int.Parse(lie, CultureInfo.InvariantCulture),
                };
                last = asked.Id;
                Link link = await linked.Task.ConfigureAwait(false);
                for (int i = 0; i < (lie == "twice" ? 2 : 1); i++)
                {
                    _ = await link.SendAsync(Reported.PacketType, new Reported(reported, Succeeded: true, 1, null)).ConfigureAwait(false);
                }
            })
            .OnRaw(Stop, _ => stopped.TrySetResult(true));
        Link link = await WorkerHost.ConnectAsync(router).ConfigureAwait(false);
        linked.SetResult(link);
        if (lie == "unasked")
        {
            _ = await link.SendAsync(Reported.PacketType, new Reported(0, Succeeded: true, 1, null)).ConfigureAwait(false);
        }

        await Task.WhenAny(link.Completion, stopped.Task).ConfigureAwait(false);
        await link.CloseAsync().ConfigureAwait(false);
        return 0;
    }

    private static bool IsFirst(string file)
    {
        try
        {
            using var made = new FileStream(file, FileMode.CreateNew);
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }
}

/// <summary>The beginning of the harness's BuildProject.</summary>
[Packet(513)]
internal sealed partial record Asked(int Id, string Path);

/// <summary>The harness's ProjectBuilt.</summary>
[Packet(514)]
internal sealed partial record Reported(int Id, bool Succeeded, long Milliseconds, string? Error);
