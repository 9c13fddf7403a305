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

/// <summary>The hidden command <c>worker</c>: connects, then does what the main node says, until it is asked to stop.</summary>
internal sealed class WorkerProgram : ISessionEvents
{
    /// <summary>An event that has waited so long for capacity will never get it: the main node is stuck, and losing an event silently is
    /// worse than a failed build.</summary>
    private static readonly TimeSpan SendDeadline = TimeSpan.FromMinutes(30);

    private readonly Channel<object> _work = Channel.CreateUnbounded<object>(new UnboundedChannelOptions { SingleReader = true });
    private readonly CancellationTokenSource _stopped = new();
    private readonly OutputSender _outputs = new();
    private Link? _link;
    private volatile BuildSession? _session;   // set by the flow that builds, before it asks for anything; read by the link's receive loop
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
            .On<StartSession>(start => _work.Writer.TryWrite(start))
            .On<BuildProject>(project => _work.Writer.TryWrite(project))
            .On<SendOutputs>(outputs => _work.Writer.TryWrite(outputs))
            .On<AnswerProject>(answer => _session?.Questions.Answer(answer))
            .On<WatchProject>(watch => _work.Writer.TryWrite(watch))
            .On<ReplayFile>(file => _work.Writer.TryWrite(file))
            .On<StopWork>(stop => Stop(giveUp: stop.Reason != StopWork.Done));
        _outputs.AddTo(router);
        Task<Link> connecting = WorkerHost.ConnectAsync(router, new WorkerHostOptions
        {
            Link = { Node = "builder", App = "buildharness", MaxPacketBytes = Building.WorkerFleet.LargestEvent },
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
        using var session = new BuildSession(this, new WantedEvents(() => link.Levels), TimeProvider.System);
        _session = session;
        using CancellationTokenRegistration cancel = _stopped.Token.Register(session.Cancel);
        session.WarmUp();
        Volatile.Write(ref _isWarm, true);
        await foreach (object work in _work.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            switch (work)
            {
                case StartSession start:
                    session.Begin(start);
                    break;
                case BuildProject project:
                    session.Build(project);
                    break;
                case WatchProject watch:
                    session.Watch(watch);   // behind what it is to watch
                    break;
                case SendOutputs outputs:
                    Send(link, outputs);
                    break;
            }
        }
    }

    void ISessionEvents.Send(BuildEvent one) => Send(one);

    void ISessionEvents.Evaluated(ProjectEvaluated project) => Expect(_link!.Send(ProjectEvaluated.PacketType, project, SendDeadline));

    void ISessionEvents.Ask(AskProject question) => Expect(_link!.Send(AskProject.PacketType, question, SendDeadline));

    void ISessionEvents.Built(ProjectBuilt result) => Expect(_link!.Send(ProjectBuilt.PacketType, result, SendDeadline));

    void ISessionEvents.StandsStill(ProjectStandsStill request) =>
        Expect(_link!.Send(ProjectStandsStill.PacketType, request, SendDeadline));

    private void Send(Link link, SendOutputs wanted)
    {
        try
        {
            _outputs.Send(link, wanted.Id, ProjectOutputs.Of(wanted), _stopped.Token);
            Expect(link.Send(OutputsSent.PacketType, new OutputsSent(wanted.Id), SendDeadline));
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
