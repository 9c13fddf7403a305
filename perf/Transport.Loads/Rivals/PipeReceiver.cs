using System;
using System.IO;
using System.IO.Pipes;
using System.Threading.Tasks;
using Transport.Loads.Events;

namespace Transport.Loads.Rivals;

/// <summary>The other end of <see cref="SeedSender"/>: awaits reads of a named pipe.</summary>
internal sealed class PipeReceiver : IEventReceiver
{
    private readonly NamedPipeServerStream _pipe;
    private readonly EventSink _sink;

    public PipeReceiver(EventSink sink)
    {
        _sink = sink;
        _pipe = LocalPipe.Listen(out string name);
        Address = name;
        _ = Task.Run(RunAsync);
    }

    public string Address { get; }

    public string Secret => string.Empty;

    public void Dispose() => _pipe.Dispose();

    private async Task RunAsync()
    {
        try
        {
            await _pipe.WaitForConnectionAsync().ConfigureAwait(false);
            await StreamReceiver.ReadAsync(_pipe, _sink).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException or OperationCanceledException)
        {
            // Disposed at the end of the scenario; a loss before that shows as events that do not come.
        }
    }
}
