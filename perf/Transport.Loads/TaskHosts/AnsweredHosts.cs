using System.Threading;
using System.Threading.Tasks;

namespace Transport.Loads.TaskHosts;

/// <summary>Task hosts whose packets come on threads of the transport: a request waits for the next response of its host.</summary>
/// <param name="traffic">What is asked.</param>
/// <param name="hosts">How many hosts.</param>
internal abstract class AnsweredHosts(HostTraffic traffic, int hosts) : IHosts
{
    private readonly TaskCompletionSource<HostResponse>[] _asked = new TaskCompletionSource<HostResponse>[hosts];
    private long _logs;

    public abstract long WireBytes { get; }

    public long Logs => Interlocked.Read(ref _logs);

    public async Task AskAsync(int host, int number)
    {
        var asked = new TaskCompletionSource<HostResponse>(TaskCreationOptions.RunContinuationsAsynchronously);
        _asked[host] = asked;
        Send(host, traffic.Request(number));
        traffic.Check(number, await asked.Task.ConfigureAwait(false));
    }

    public abstract void Dispose();

    protected abstract void Send(int host, HostRequest request);

    /// <summary>Takes a response; on a thread of the transport.</summary>
    protected void Take(int host, HostResponse response) => _asked[host].SetResult(response);

    /// <summary>Takes a log packet; on a thread of the transport.</summary>
    protected void TakeLog() => Interlocked.Increment(ref _logs);
}
