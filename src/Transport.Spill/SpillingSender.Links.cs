using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Spill;

/// <content>One link after the other, and the end.</content>
public sealed partial class SpillingSender
{
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(10);

    private async Task RunAsync()
    {
        string? problem = null;
        int attempts = 0;
        while (!_stopping.IsCancellationRequested)
        {
            attempts++;
            Link? link = null;
            try
            {
                link = await ConnectAsync(new SpillAttempt(attempts, problem)).ConfigureAwait(false);
                problem = "there is no main node to connect to yet";
            }
            catch (Exception e)
            {
                problem = ExceptionText.MessageOf(e);   // whatever the caller's function throws, too
            }

            if (link is not null)
            {
                SpillNumber[] before = Progress();
                problem = await ServeAsync(link).ConfigureAwait(false);
                attempts = Progress().SequenceEqual(before) ? attempts : 0;
            }
            else if (!_stopping.IsCancellationRequested)
            {
                _reports.Tell(SpillEvent.AttemptFailed, $"Attempt {attempts} got no link: {problem}");
            }

            await PauseAsync(Backoff(attempts)).ConfigureAwait(false);
        }
    }

    private SpillNumber[] Progress() => [.. Lanes.Select(l => l.Acknowledgement)];

    private TimeSpan Backoff(int attempts)
    {
        double most = _options.BackoffMost.TotalMilliseconds;
        return TimeSpan.FromMilliseconds(Math.Min(most, _options.BackoffLeast.TotalMilliseconds * Math.Pow(2, Math.Min(attempts - 1, 40))));
    }

    private async Task PauseAsync(TimeSpan time)
    {
        var stopped = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        using CancellationTokenRegistration registration = _stopping.Token.Register(() => stopped.TrySetResult(true));
        await Delay.InTimeAsync(stopped.Task, _linkOptions.Clock, time).ConfigureAwait(false);
    }

    /// <summary>Makes one attempt.</summary>
    /// <returns>The link; null where there is no main node to connect to.</returns>
    private async Task<Link?> ConnectAsync(SpillAttempt attempt)
    {
        Task<SpillTarget?> asking = _connect(attempt, _stopping.Token);
        var stopped = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        using CancellationTokenRegistration registration = _stopping.Token.Register(() => stopped.TrySetResult(true));
        await Task.WhenAny(asking, stopped.Task).ConfigureAwait(false);
        if (_stopping.IsCancellationRequested || await asking.ConfigureAwait(false) is not { } target)
        {
            return null;
        }

        Link link = await Link.ConnectAsync(target.Endpoint, target.Secret, _linkOptions, _stopping.Token).ConfigureAwait(false);
        int needed = _options.MaxPacketBytes + SpillPacket.Overhead;
        if (link.Peer.MaxPacket >= needed)
        {
            return link;
        }

        await link.CloseAsync("packets of this sender may be too large").ConfigureAwait(false);
        throw new TransportException(
            TransportFault.BadOptions,
            $"The main node takes packets of {link.Peer.MaxPacket} bytes, and those of this sender may have {needed}: raise its LinkOptions.MaxPacketBytes, or lower SpillOptions.MaxPacketBytes.");
    }

    /// <summary>Uses a link until it ends.</summary>
    /// <returns>How it ended.</returns>
    private async Task<string> ServeAsync(Link link)
    {
        link.Start(_options.Router ?? new PacketRouter());
        Volatile.Write(ref _link, link);
        Interlocked.Increment(ref _links);
        _reports.Tell(SpillEvent.Connected, $"A link to {(link.Peer.Node.Length > 0 ? link.Peer.Node : "the main node")} is there.");
        using var over = new CancellationTokenSource();
        List<Task> pumps = [.. Lanes.Select(lane => lane.RunAsync(link, over.Token))];
        LinkEnd end = await link.Ended.ConfigureAwait(false);
        Volatile.Write(ref _link, null);
        over.Cancel();
        await Task.WhenAll(pumps).ConfigureAwait(false);
        foreach (SpillLane lane in Lanes)
        {
            await lane.DetachAsync(link).ConfigureAwait(false);
        }

        if (!_stopping.IsCancellationRequested)
        {
            _reports.Tell(SpillEvent.Away, $"The link has ended ({end}); what is sent goes to the journal until there is another.", cause: end.Cause);
        }

        return end.ToString();
    }

    private async Task<SpillStatistics> EndAsync(TimeSpan? deadline)
    {
        foreach (SpillLane lane in Lanes)
        {
            lane.StopTaking();
        }

        TimeProvider clock = _linkOptions.Clock;
        long start = clock.GetTimestamp();
        TimeSpan limit = deadline ?? _linkOptions.CloseTimeout;
        while (!Lanes.All(l => l.IsSettled) && clock.GetElapsedTime(start) < limit && (deadline is not null || Link is not null))
        {
            using var pause = new Delay(clock, Look);
            await pause.Task.ConfigureAwait(false);
        }

        _stopping.Cancel();
        if (Link is { } link)
        {
            TimeSpan left = limit - clock.GetElapsedTime(start);
            await link.CloseAsync(deadline: left > Look ? left : Look).ConfigureAwait(false);
        }

        await _running.ConfigureAwait(false);
        foreach (SpillLane lane in Lanes)
        {
            await lane.CloseAsync().ConfigureAwait(false);
        }

        await _reports.Told.ConfigureAwait(false);
        return Statistics;
    }
}
