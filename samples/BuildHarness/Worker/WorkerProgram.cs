using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;
using BuildHarness.Collecting;
using BuildHarness.Display;
using BuildHarness.Packets;
using Transport;
using Transport.MSBuild;

namespace BuildHarness.Worker;

/// <summary>The hidden command <c>worker</c>: connects, then does what the main node says, one thing after the other, until it is asked to
/// stop.</summary>
internal sealed class WorkerProgram
{
    /// <summary>An event that has waited so long for capacity will never get it: the main node is stuck, and losing an event silently is
    /// worse than a failed build.</summary>
    private static readonly TimeSpan SendDeadline = TimeSpan.FromMinutes(30);

    private readonly Channel<object> _work = Channel.CreateUnbounded<object>(new UnboundedChannelOptions { SingleReader = true });
    private readonly CancellationTokenSource _stopped = new();
    private readonly OutputSender _outputs = new();
    private Link? _link;
    private bool _isWarm;

    /// <param name="builds">It will build: MSBuild is warmed up at once.</param>
    /// <param name="traces">It reports what its end of the link does.</param>
    /// <returns>The exit code.</returns>
    public static async Task<int> RunAsync(bool builds, bool traces)
    {
        // Ctrl+C at a terminal reaches the whole process group; the main node decides what it means.
        using var ignored = PosixSignalRegistration.Create(PosixSignal.SIGINT, context => context.Cancel = true);
        try
        {
            return await new WorkerProgram().ServeAsync(builds, traces).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransportException or HarnessException)
        {
            Stderr.Report("buildharness worker: " + e.Message);
            return ExitCodes.HarnessFault;
        }
#pragma warning disable CA1031 // the last resort, as in the main node
        catch (Exception e) when (!Mistakes.ShowWhere)
#pragma warning restore CA1031
        {
            Stderr.Report("buildharness worker: " + Mistakes.Of(e));
            return ExitCodes.HarnessFault;
        }
    }

    private async Task<int> ServeAsync(bool builds, bool traces)
    {
        PacketRouter router = new PacketRouter()
            .On<BuildProject>(project => _work.Writer.TryWrite(project))
            .On<ReplayFile>(file => _work.Writer.TryWrite(file))
            .On<StopWork>(stop => Stop(giveUp: stop.Reason != StopWork.Done));
        _outputs.AddTo(router);
        Task<Link> connecting = WorkerHost.ConnectAsync(router, new WorkerHostOptions
        {
            Link = { Node = "builder", App = "buildharness" },
        });
        SdkMSBuild.Find();
        _link = await connecting.ConfigureAwait(false);
        _ = StopWithLinkAsync(_link);
        using (traces ? new LinkSampler(_link, TimeProvider.System) : null)
        {
            await (builds ? BuildAsync(_link) : ReplayAsync(_link)).ConfigureAwait(false);
        }

        LinkEnd end = await _link.CloseAsync().ConfigureAwait(false);
        return end.IsClean ? ExitCodes.Success : ExitCodes.HarnessFault;
    }

    private async Task StopWithLinkAsync(Link link)
    {
        await link.Completion.ConfigureAwait(false);
        Stop(giveUp: true);
    }

    /// <param name="giveUp">What is being built is cancelled. If everything is done there is nothing to give up but the warm-up of a
    /// worker that came too late, and a cancelled session would end as a failed one.</param>
    private void Stop(bool giveUp)
    {
        _work.Writer.TryComplete();
        if (!giveUp && Volatile.Read(ref _isWarm))
        {
            return;
        }

        // Not on the receive loop, which this is: what listens may wait for MSBuild.
        ThreadPool.UnsafeQueueUserWorkItem(static stopped => stopped.Cancel(), _stopped, preferLocal: false);
    }

    private async Task BuildAsync(Link link)
    {
        using var session = new BuildSession(Send, new WantedEvents(() => link.Levels));
        using CancellationTokenRegistration cancel = _stopped.Token.Register(session.Cancel);
        session.WarmUp();
        Volatile.Write(ref _isWarm, true);
        await foreach (object work in _work.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            if (work is BuildProject project)
            {
                ProjectResult result = session.Build(project);
                SendOutputs(link, project.Id, ProjectOutputs.Of(project, result));
                _ = await link.SendAsync(result.Report).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Sends a project's outputs before its result: so a project counts as built once they are taken, and a worker that dies
    /// before that builds it in vain.</summary>
    private void SendOutputs(Link link, int project, IEnumerable<OutputItem>? outputs)
    {
        if (outputs is null)
        {
            return;
        }

        try
        {
            _outputs.Send(link, project, outputs, _stopped.Token);
        }
        catch (OperationCanceledException)
        {
            // The main node has given up; nothing is collected.
        }
    }

    private async Task ReplayAsync(Link link)
    {
        await foreach (object work in _work.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            if (work is ReplayFile file)
            {
                _ = await link.SendAsync(Replayed.PacketType, Replay.Replayer.Send(file, Send, Send)).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Hands a packet of a journal to the link, as it was recorded.</summary>
    private void Send(PacketType<ReadOnlyMemory<byte>> type, ReadOnlyMemory<byte> body) => Expect(_link!.Send(type, body, SendDeadline));

    /// <summary>Hands an event to the link; waits for capacity, on MSBuild's own thread: a main node that cannot follow slows the build
    /// down and loses nothing.</summary>
    private void Send(BuildEvent one) => Expect(_link!.Send(BuildEvent.PacketType, one, SendDeadline));

    private static void Expect(SendResult result)
    {
        if (result == SendResult.Full)
        {
            throw new HarnessException($"The main node has taken nothing for {SendDeadline.TotalMinutes:0} minutes.");
        }
    }
}
