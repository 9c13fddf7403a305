using System;
using System.IO.Pipes;
using System.Linq;

namespace Transport.Loads.TaskHosts;

/// <summary>Task hosts over named pipes, in MSBuild's shape.</summary>
internal sealed class PipeHosts : AnsweredHosts
{
    private readonly PipeEnd[] _pipes;

    /// <param name="traffic">What is asked.</param>
    /// <param name="names">The pipe of each host.</param>
    public PipeHosts(HostTraffic traffic, string[] names)
        : base(traffic, names.Length) => _pipes = [.. names.Select((name, host) =>
        {
            var pipe = new NamedPipeClientStream(".", name, PipeDirection.InOut, PipeOptions.Asynchronous);
            pipe.Connect(10_000);
            return new PipeEnd(pipe, (_, packet) => Sort(host, packet));
        })];

    public override long WireBytes => _pipes.Sum(pipe => pipe.Bytes);

    public override void Dispose() => Array.ForEach(_pipes, pipe => pipe.Dispose());

    protected override void Send(int host, HostRequest request) => _pipes[host].Send(request);

    private void Sort(int host, object packet)
    {
        if (packet is HostResponse response)
        {
            Take(host, response);
        }
        else
        {
            TakeLog();
        }
    }
}
