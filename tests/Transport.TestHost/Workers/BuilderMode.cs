using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Threading.Tasks;

namespace Transport.TestHost.Workers;

/// <summary>
/// A worker of the build harness that builds nothing and says it has. What it is given first wants another project; of that the first
/// worker reports another request than the one it was given.
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
        int first = -1, last = -1;
        var linked = new TaskCompletionSource<Link>(TaskCreationOptions.RunContinuationsAsynchronously);
        var stopped = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        PacketRouter router = new PacketRouter()
            .On<Given>(async given =>
            {
                Link link = await linked.Task.ConfigureAwait(false);
                if (first < 0)
                {
                    first = given.Id;
                    var question = new Question(1, first, [new Wanted("/wanted.proj", [], [])]);
                    _ = await link.SendAsync(Question.PacketType, question).ConfigureAwait(false);
                    return;
                }

                last = given.Id;
                int reported = lie switch
                {
                    "other" => last + 1,
                    "" or "twice" or "unasked" or "finished" => last,
                    _ => int.Parse(lie, CultureInfo.InvariantCulture),
                };
                for (int i = 0; i < (lie == "twice" ? 2 : 1); i++)
                {
                    await ReportAsync(link, reported).ConfigureAwait(false);
                }
            })
            .On<Told>(async _ =>
            {
                Link link = await linked.Task.ConfigureAwait(false);
                await ReportAsync(link, lie == "finished" ? last : first).ConfigureAwait(false);
            })
            .OnRaw(Stop, _ => stopped.TrySetResult(true));
        Link link = await WorkerHost.ConnectAsync(router).ConfigureAwait(false);
        linked.SetResult(link);
        if (lie == "unasked")
        {
            await ReportAsync(link, 0).ConfigureAwait(false);
        }

        await Task.WhenAny(link.Completion, stopped.Task).ConfigureAwait(false);
        await link.CloseAsync().ConfigureAwait(false);
        return 0;
    }

    private static async Task ReportAsync(Link link, int id) =>
        _ = await link.SendAsync(Reported.PacketType, new Reported(id, new Came(Succeeded: true, []), null)).ConfigureAwait(false);

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
internal sealed partial record Given(int Id);

/// <summary>The harness's AskProject.</summary>
[Packet(519)]
internal sealed partial record Question(int Id, int Request, IReadOnlyList<Wanted> Work);

/// <summary>The beginning of the harness's ProjectWork.</summary>
[PacketObject]
internal sealed partial record Wanted(string Path, IReadOnlyList<KeyValuePair<string, string>> Properties, IReadOnlyList<string> Targets);

/// <summary>The beginning of the harness's AnswerProject.</summary>
[Packet(534)]
internal sealed partial record Told(int Id);

/// <summary>The beginning of the harness's ProjectBuilt.</summary>
[Packet(514)]
internal sealed partial record Reported(int Id, Came Result, string? Error);

/// <summary>The harness's WorkResult.</summary>
[PacketObject]
internal sealed partial record Came(bool Succeeded, IReadOnlyList<string> Targets);
