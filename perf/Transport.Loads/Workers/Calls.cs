using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Loads.Workers;

/// <summary>A question of 40 bytes or so, as somebody would declare it.</summary>
[Packet(1040)]
internal sealed partial record Locate(string Name, int Version) : IRequest<Located>;

/// <summary>Its answer.</summary>
[Packet(1041)]
internal sealed partial record Located(string Path, long Bytes);

/// <summary>Asks for a stream of that many answers.</summary>
[Packet(1042)]
internal sealed partial record LocateAll(int Count) : IStreamRequest<Located>;

/// <summary>The same question as a call.</summary>
[Service(1050)]
internal interface ILocator
{
    /// <summary>Answers.</summary>
    Task<Located> LocateAsync(string name, int version, CancellationToken cancellationToken);
}

/// <summary>Answers all of them.</summary>
internal sealed class Locator : ILocator
{
    private static readonly Located s_answer = new("/cache/artifacts/a.dll", 1_234_567);

    public static PacketRouter Router() => new PacketRouter()
        .OnRequest<Locate, Located>((_, _) => Task.FromResult(s_answer))
        .OnRequestStream<LocateAll, Located>((question, _) => ManyAsync(question.Count))
        .OnLocator(new Locator());

    public Task<Located> LocateAsync(string name, int version, CancellationToken cancellationToken) => Task.FromResult(s_answer);

    private static async IAsyncEnumerable<Located> ManyAsync(int count)
    {
        for (int i = 0; i < count; i++)
        {
            await Task.CompletedTask.ConfigureAwait(false);
            yield return s_answer;
        }
    }
}
