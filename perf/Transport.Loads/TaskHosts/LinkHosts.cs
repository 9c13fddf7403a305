using System.Linq;
using System.Threading.Tasks;

namespace Transport.Loads.TaskHosts;

/// <summary>Task hosts over links: requests and responses are packets of their own, as MSBuild's are, since those of
/// <see cref="LinkExtensions"/> refer to no tables.</summary>
internal sealed class LinkHosts : AnsweredHosts
{
    private readonly Link[] _links;

    /// <param name="traffic">What is asked.</param>
    /// <param name="words">The endpoint, then a secret for each host.</param>
    /// <param name="useTables">Whether texts and maps that come again are referred to.</param>
    public LinkHosts(HostTraffic traffic, string[] words, bool useTables)
        : base(traffic, words.Length - 1)
    {
        _links = [.. words.Skip(1).Select(secret => Link.ConnectAsync(
            WireEndpoint.Parse(words[0]), LinkSecret.Parse(secret), new LinkOptions { UseTables = useTables }).GetAwaiter().GetResult())];
        for (int i = 0; i < _links.Length; i++)
        {
            int host = i;
            _links[host].Start(new PacketRouter()
                .On<HostLog>(_ => TakeLog())
                .On<HostResponse>(response => Take(host, response)));
        }
    }

    public override long WireBytes => _links.Sum(link => link.Counters.BytesSent + link.Counters.BytesReceived);

    public override void Dispose() => Task.WhenAll(_links.Select(link => link.CloseAsync())).GetAwaiter().GetResult();

    protected override void Send(int host, HostRequest request)
    {
        if (_links[host].TrySend(request) != SendResult.Queued)
        {
            throw new LoadException($"The link did not take request {request.Number}.");
        }
    }
}
