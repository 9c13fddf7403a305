using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.MSBuild;

/// <summary>Takes the events of builds, one after the other or at once: lets their loggers (<see cref="TransportLogger"/>) in, each by a
/// secret of its own, and hands what they send to routers. Safe from any thread.</summary>
public sealed class BuildCollector : IAsyncDisposable
{
    private const int TailBytes = 1 << 20;
    private const int LongestPart = 16;

    /// <summary>How long the builds that are still connected may take to end once the command has.</summary>
    private static readonly TimeSpan LastWait = TimeSpan.FromSeconds(5);

    private readonly LinkListener _listener;
    private readonly BuildNote _note;
    private readonly Func<string, PacketRouter> _route;
    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _gate = new();
    private readonly List<Task<CollectedBuild>> _builds = [];   // under the lock
    private readonly Dictionary<string, string> _parts = new(StringComparer.Ordinal);   // under the lock; see NameOf
    private Task _accepting = Task.CompletedTask;

    private BuildCollector(LinkListener listener, BuildNote note, Func<string, PacketRouter> route)
    {
        _listener = listener;
        _note = note;
        _route = route;
    }

    /// <summary>Gets the file that the logger's parameter <c>connect</c> names.</summary>
    public string ConnectionFile => _note.Path;

    /// <summary>Begins to listen.</summary>
    /// <param name="route">Creates the router of a build, given the collector's name for it: with a handler of
    /// <see cref="BuildPackets.Event"/>, with a store, or both.</param>
    /// <param name="journal">The folder of the journal in which the events are stored, for processes that look for running builds
    /// (<see cref="BuildNote.RunningJournals"/>); null (default): there is none.</param>
    /// <returns>The collector; close it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="route"/> is null.</exception>
    /// <exception cref="TransportException">It cannot listen; the message says why and what to do.</exception>
    /// <exception cref="IOException">Its note cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">Its note may not be written.</exception>
    public static BuildCollector Start(Func<string, PacketRouter> route, string? journal = null)
    {
        ArgumentNullException.ThrowIfNull(route);
        WireKind kind = OperatingSystem.IsWindows() ? WireKind.NamedPipe : WireKind.UnixSocket;
        var listener = LinkListener.Start(kind, new LinkListenerOptions { Node = "collector" });
        var collector = new BuildCollector(listener, new BuildNote(journal), route);
        Invitation first = collector.Invite(1);
        collector._accepting = collector.AcceptAsync(first);
        return collector;
    }

    /// <summary>Stops listening, waits at most 5 s for the builds that are still connected, and ends the links that are left. Call it
    /// once.</summary>
    /// <returns>What became of each build, in the order in which they connected.</returns>
    public async Task<IReadOnlyList<CollectedBuild>> CloseAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await _accepting.ConfigureAwait(false);
        Task<CollectedBuild>[] builds;
        lock (_gate)
        {
            builds = [.. _builds];
        }

        Task all = Task.WhenAll(builds);
        await Task.WhenAny(all, Task.Delay(LastWait)).ConfigureAwait(false);
        await _listener.DisposeAsync().ConfigureAwait(false);   // ends the links that are left
        CollectedBuild[] ended = await Task.WhenAll(builds).ConfigureAwait(false);
        _stop.Dispose();
        _note.Dispose();
        return ended;
    }

    /// <summary>As <see cref="CloseAsync"/>, if that was not called.</summary>
    /// <returns>A task that completes when all links have ended.</returns>
    public async ValueTask DisposeAsync()
    {
        if (!_stop.IsCancellationRequested)
        {
            await CloseAsync().ConfigureAwait(false);
        }
    }

    private Invitation Invite(int number)
    {
        string node = number == 1 ? "build" : string.Create(CultureInfo.InvariantCulture, $"build{number}");
        LinkTicket ticket = _listener.Expect(node);
        TailFile? tail = WorkerTail.TryCreate(node, TailBytes);
        _note.Write(new ConnectionFile(_listener.Endpoint, ticket.Secret, tail?.Path));
        return new Invitation(number, ticket, tail);
    }

    private async Task AcceptAsync(Invitation next)
    {
        while (true)
        {
            Link link;
            try
            {
                link = await next.Ticket.WaitForLinkAsync(_stop.Token).ConfigureAwait(false);
            }
            catch (Exception e) when (e is OperationCanceledException or TransportException)
            {
                next.Ticket.Cancel();
                next.Tail?.Dispose();
                return;
            }

            Task<CollectedBuild> build = FollowAsync(link, next);
            lock (_gate)
            {
                _builds.Add(build);
            }

            try
            {
                next = Invite(next.Number + 1);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or TransportException or ObjectDisposedException)
            {
                return;   // the folder is gone, or full: no further build is let in
            }
        }
    }

    private async Task<CollectedBuild> FollowAsync(Link link, Invitation invitation)
    {
        string node = NameOf(link.Peer, invitation);
        int process = link.Peer.Identity.ProcessId ?? link.Peer.ProcessId ?? 0;
        using WorkerTail? tail = invitation.Tail is not { } file ? null
            : new WorkerTail(node, file, () => process == 0 || ProcessStatus.HasExited(process), Never, Never());
        tail?.Follow(link);
        link.Start(_route(node));
        LinkEnd end = await link.Completion.ConfigureAwait(false);
        end = tail?.Count(link, end) ?? end;
        await link.DisposeAsync().ConfigureAwait(false);
        return new CollectedBuild(node, end);
    }

    /// <summary>A build whose nodes have links of their own (<see cref="BuildForwarding"/>) has one name, which the first of them got; the
    /// nodes' names are that with theirs behind a dot.</summary>
    private string NameOf(LinkPeer peer, Invitation invitation)
    {
        string name = invitation.Ticket.Node;
        if (!peer.App.StartsWith(EventStream.AppPrefix, StringComparison.Ordinal) || peer.Node.Length > LongestPart)
        {
            return name;
        }

        lock (_gate)
        {
            name = _parts.GetValueOrDefault(peer.App, name);
            _parts[peer.App] = name;
        }

        return peer.Node == EventStream.MainPart ? name : $"{name}.{peer.Node}";
    }

    private static Task Never() => new TaskCompletionSource().Task;

    private sealed record Invitation(int Number, LinkTicket Ticket, TailFile? Tail);
}
