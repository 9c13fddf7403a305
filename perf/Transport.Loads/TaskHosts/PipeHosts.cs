using System.IO.Pipes;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Loads.TaskHosts;

/// <summary>Task hosts over named pipes, in MSBuild's shape.</summary>
internal sealed class PipeHosts : IHosts
{
    private readonly HostTraffic _traffic;
    private readonly PipeEnd[] _pipes;
    private readonly TaskCompletionSource<HostResponse>[] _asked;
    private long _logs;

    /// <param name="traffic">What is asked.</param>
    /// <param name="names">The pipe of each host.</param>
    public PipeHosts(HostTraffic traffic, string[] names)
    {
        _traffic = traffic;
        _asked = new TaskCompletionSource<HostResponse>[names.Length];
        _pipes = [.. names.Select((name, host) =>
        {
            var pipe = new NamedPipeClientStream(".", name, PipeDirection.InOut, PipeOptions.Asynchronous);
            pipe.Connect(10_000);
            return new PipeEnd(pipe, packet => Take(host, packet));
        })];
    }

    public long WireBytes => _pipes.Sum(pipe => pipe.Bytes);

    public long Logs => Interlocked.Read(ref _logs);

    public async Task AskAsync(int host, int number)
    {
        var asked = new TaskCompletionSource<HostResponse>(TaskCreationOptions.RunContinuationsAsynchronously);
        _asked[host] = asked;
        _pipes[host].Send(_traffic.Request(number));
        _traffic.Check(number, await asked.Task.ConfigureAwait(false));
    }

    public void Dispose()
    {
        foreach (PipeEnd pipe in _pipes)
        {
            pipe.Dispose();
        }
    }

    private void Take(int host, object packet)
    {
        if (packet is HostResponse response)
        {
            _asked[host].SetResult(response);
        }
        else
        {
            Interlocked.Increment(ref _logs);
        }
    }
}
