using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Loads.Rivals;

namespace Transport.Loads.TaskHosts;

/// <summary>Task hosts over bare sockets with blocking calls: the least that a program does which carries these objects.</summary>
internal sealed class BareHosts : IHosts
{
    private readonly HostTraffic _traffic;
    private readonly BareEnd[] _ends;
    private long _logs;

    /// <param name="traffic">What is asked.</param>
    /// <param name="paths">The socket of each host.</param>
    public BareHosts(HostTraffic traffic, string[] paths)
    {
        _traffic = traffic;
        _ends = [.. paths.Select(path => new BareEnd(LocalSocket.Connect(path)))];
    }

    public long WireBytes => _ends.Sum(end => end.Bytes);

    public long Logs => Interlocked.Read(ref _logs);

    public Task AskAsync(int host, int number)
    {
        _ends[host].Send(_traffic.Request(number));
        while (true)
        {
            if (_ends[host].Receive() is HostResponse response)
            {
                _traffic.Check(number, response);
                return Task.CompletedTask;
            }

            Interlocked.Increment(ref _logs);
        }
    }

    public void Dispose() => Array.ForEach(_ends, end => end.Dispose());
}
