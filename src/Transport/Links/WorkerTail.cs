using System;
using System.IO;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The crash tail of one worker: made before it starts, read after it has exited.</summary>
/// <param name="node">The main node's name for the worker.</param>
/// <param name="file">The file.</param>
/// <param name="hasExited">Whether the worker's process has exited; on any thread.</param>
/// <param name="exited">Completes when it has; one that never does only lets the exit be seen a moment later.</param>
/// <param name="outlived">Completes if the process lives on though it was killed.</param>
internal sealed class WorkerTail(string node, TailFile file, Func<bool> hasExited, Func<Task> exited, Task outlived) : IDisposable
{
    /// <summary>How often it is asked whether the process has exited, which may be long before its output has drained.</summary>
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(20);

    /// <summary>
    /// How long after the end of its stream a worker may take to exit; one that lives on has only lost its link, and its tail is not
    /// read. The system closes the socket of a
    /// process that is killed a moment before it notifies its parent. A worker whose link timed out is killed by this side; then the tail
    /// is read once that has happened.
    /// </summary>
    private static readonly TimeSpan ExitedWithin = TimeSpan.FromSeconds(2);

    /// <summary>Makes the file. If that cannot be done, the worker starts without.</summary>
    /// <param name="node">The main node's name for the worker.</param>
    /// <param name="bytes">Its size; 0: none.</param>
    /// <param name="ends">What the worker inherits; null: nothing. On Linux the file is one of these, and needs no folder.</param>
    public static TailFile? TryCreate(string node, int bytes, InheritedEnds? ends = null)
    {
        if (bytes == 0)
        {
            return null;
        }

        try
        {
            return (ends is null || !Libc.IsLinux ? null : TryCreateInherited(node, bytes, ends))
                ?? TailFile.Create(EndpointDirectory.NewTail(EndpointSettings.FromEnvironment()), bytes);
        }
        catch (Exception e) when (e is IOException or TransportException)
        {
            TransportEventSource.Log.NoTail(node, e.Message);
            return null;
        }
    }

    private static TailFile? TryCreateInherited(string node, int bytes, InheritedEnds ends)
    {
        try
        {
            return TailFile.CreateInherited(bytes, ends);
        }
        catch (IOException e)
        {
            TransportEventSource.Log.NoTail(node, e.Message + "; a file in the folder of sockets is tried");
            return null;
        }
    }

    /// <summary>The tail of a process that this one did not start: nothing says when it exits, so that is looked at.</summary>
    /// <param name="node">The main node's name for it.</param>
    /// <param name="file">The file, which it was told of.</param>
    /// <param name="link">Its link; a peer without a process id counts as one that has exited.</param>
    public static WorkerTail OfStranger(string node, TailFile file, Link link)
    {
        int process = link.Peer.Identity.ProcessId ?? link.Peer.ProcessId ?? 0;
        return new WorkerTail(node, file, () => process == 0 || ProcessStatus.HasExited(process), Never, Never());
    }

    /// <summary>The worker's side: opens the file that the main node named, in which the link keeps what it queues.</summary>
    /// <param name="node">The worker's name, for the event source.</param>
    /// <param name="path">The file; null or empty: none was named.</param>
    /// <returns>The tail; null if there is none that can be used.</returns>
    public static TailMap? TryOpen(string node, string? path)
    {
        if (string.IsNullOrEmpty(path))
        {
            return null;
        }

        TailMap? tail = TailMap.TryOpen(path!, out string problem);
        if (tail is null)
        {
            TransportEventSource.Log.NoTail(node, $"the file \"{path}\" cannot be used: {problem}");
        }

        return tail;
    }

    /// <summary>Starts the link of a worker that has connected, unless the link has ended. The worker has the file open, so nobody needs
    /// its name any more; if the link's stream ends too early, the link goes on with what the file holds.</summary>
    /// <exception cref="InvalidOperationException">As <see cref="Link.Start"/>.</exception>
    public void Start(Link link, PacketRouter router)
    {
        file.Remove();
        if (!link.Completion.IsCompleted)
        {
            link.StartWithTail(router, () => ReadAsync(link));
        }
    }

    /// <summary>Counts what the tail of an exited worker holds, if its link ended without reading it.</summary>
    /// <param name="link">The link.</param>
    /// <param name="end">Its end.</param>
    /// <returns>The end, with what was counted in its receipt.</returns>
    public LinkEnd Count(Link link, LinkEnd end)
    {
        string? problem = end.Receipt.Tail?.Problem;
        if (end.IsClean || (end.Receipt.Tail is not null && problem != TailReport.NotRead) || link.CountTail(Read()) is not { } counted)
        {
            return end;
        }

        TailReport tail = counted with { Problem = problem ?? counted.Problem };
        return new LinkEnd(end.Fault, end.Reason, end.Cause, end.Receipt with { Tail = tail });
    }

    public void Dispose() => file.Dispose();

    private static Task Never() => new TaskCompletionSource<bool>().Task;

    private async Task<TailContent?> ReadAsync(Link link)
    {
        using var bound = new Delay(TimeProvider.System, ExitedWithin);
        Task giveUp = link.Fault is null ? bound.Task : outlived;
        while (!hasExited())
        {
            if (giveUp.IsCompleted)
            {
                return new TailContent([], TailReport.NotRead);
            }

            await Delay.InTimeAsync(Task.WhenAny(giveUp, exited()), TimeProvider.System, Look).ConfigureAwait(false);
        }

        return Read();
    }

    private TailContent Read()
    {
        try
        {
            byte[] bytes = file.Read(out string? problem);
            return new TailContent(bytes, problem);
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // If it was given back meanwhile, the link did not wait for a handler that does not return.
            TransportEventSource.Log.NoTail(node, e.Message);
            return new TailContent([], $"its file cannot be read: {e.Message}");
        }
    }
}
