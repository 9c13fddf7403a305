using System;
using System.IO;
using System.Threading.Tasks;
using Transport.Diagnostics;
using Transport.Links;
using Transport.Receiving.Tails;
using Transport.Sending.Tails;
using Transport.Wires;

namespace Transport.Nodes;

/// <summary>The crash-surviving tail of one worker: made before it starts, read after it is dead.</summary>
internal sealed class WorkerTail(string node, TailFile file, ChildProcess child) : IDisposable
{
    /// <summary>How long after the end of its stream a worker may take to be dead; one that lives on has only lost its link, and its tail is not read. The system closes the socket of a process that is killed a moment before it tells its parent. One that is dead by then may still be waited for: whoever takes its output may take long.</summary>
    private static readonly TimeSpan DeadWithin = TimeSpan.FromSeconds(2);

    /// <summary>Makes the file. Where that cannot be done, the worker starts without.</summary>
    public static TailFile? TryCreate(string node, int bytes)
    {
        if (bytes == 0)
        {
            return null;
        }

        try
        {
            return TailFile.Create(EndpointDirectory.NewTail(EndpointSettings.FromEnvironment()), bytes);
        }
        catch (Exception e) when (e is IOException or TransportException)
        {
            TransportEventSource.Log.NoTail(node, e.Message);
            return null;
        }
    }

    /// <summary>The worker's side: has the link keep what it queues in the file that the main node named.</summary>
    /// <returns>The options to connect with.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadOptions"/>.</exception>
    public static LinkOptions AddTo(LinkOptions options, string? path)
    {
        if (string.IsNullOrEmpty(path))
        {
            return options;
        }

        LinkOptions copy = options.CheckedCopy();
        copy.Tail = TailMap.TryOpen(path!, out string problem);
        if (copy.Tail is null)
        {
            TransportEventSource.Log.NoTail(copy.Node, $"the file \"{path}\" cannot be used: {problem}");
        }

        return copy;
    }

    /// <summary>The worker has connected, so it has the file open: nobody needs its name any more. Its link goes on with it where the stream ends too early.</summary>
    public void Follow(Link link)
    {
        file.Remove();
        link.Tail = ReadAsync;
    }

    public void Dispose() => file.Dispose();

    private async Task<TailContent?> ReadAsync()
    {
        if (!await Delay.InTimeAsync(child.Ended, TimeProvider.System, DeadWithin).ConfigureAwait(false) && !child.HasExited)
        {
            return null;
        }

        try
        {
            byte[] bytes = file.Read(out string? problem);
            return new TailContent(bytes, problem);
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // Where it was given back meanwhile, the link did not wait for a handler that does not return.
            TransportEventSource.Log.NoTail(node, e.Message);
            return new TailContent([], $"its file cannot be read: {e.Message}");
        }
    }
}
