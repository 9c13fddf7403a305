using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Loads.TaskHosts;

/// <summary>Task hosts over links: requests and responses are packets of their own, as MSBuild's are, since those of
/// <see cref="RequestExtensions"/> refer to no tables.</summary>
internal sealed class LinkHosts : IHosts
{
    private readonly HostTraffic _traffic;
    private readonly Link[] _links;
    private readonly TaskCompletionSource<HostResponse>[] _asked;
    private long _logs;

    /// <param name="traffic">What is asked.</param>
    /// <param name="words">The endpoint, then a secret for each host.</param>
    /// <param name="useTables">Whether texts and maps that come again are referred to.</param>
    public LinkHosts(HostTraffic traffic, string[] words, bool useTables)
    {
        _traffic = traffic;
        _asked = new TaskCompletionSource<HostResponse>[words.Length - 1];
        _links = [.. words.Skip(1).Select(secret => Link.ConnectAsync(
            WireEndpoint.Parse(words[0]), LinkSecret.Parse(secret), new LinkOptions { UseTables = useTables }).GetAwaiter().GetResult())];
        for (int i = 0; i < _links.Length; i++)
        {
            int host = i;
            _links[host].Start(new PacketRouter()
                .On<HostLog>(_ => Interlocked.Increment(ref _logs))
                .On<HostResponse>(response => _asked[host].SetResult(response)));
        }
    }

    public long WireBytes => _links.Sum(link => link.Counters.BytesSent + link.Counters.BytesReceived);

    public long Logs => Interlocked.Read(ref _logs);

    public async Task AskAsync(int host, int number)
    {
        var asked = new TaskCompletionSource<HostResponse>(TaskCreationOptions.RunContinuationsAsynchronously);
        _asked[host] = asked;
        if (_links[host].TrySend(_traffic.Request(number)) != SendResult.Queued)
        {
            throw new LoadException($"The link did not take request {number}.");
        }

        _traffic.Check(number, await asked.Task.ConfigureAwait(false));
    }

    public void Dispose() => Task.WhenAll(_links.Select(link => link.CloseAsync())).GetAwaiter().GetResult();
}
