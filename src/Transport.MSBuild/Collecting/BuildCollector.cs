using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Build.Framework;
using Microsoft.Build.Logging;

namespace Transport.MSBuild;

/// <summary>Takes the events of builds, one after the other or at once: lets their loggers (<see cref="TransportLogger"/>) in, each by a
/// secret of its own, and hands what they send to routers. Safe from any thread.</summary>
public sealed class BuildCollector : IAsyncDisposable
{
    private const int TailBytes = 1 << 20;
    private const int LongestPart = 16;
    private const int MostLinks = 4096;

    /// <summary>How long the builds that are still connected may take to end once the command has.</summary>
    private static readonly TimeSpan LastWait = TimeSpan.FromSeconds(5);

    /// <summary>How long until an invitation that failed is tried again.</summary>
    private static readonly TimeSpan Retry = TimeSpan.FromSeconds(1);

    private readonly LinkListener _listener;
    private readonly BuildNote _note;
    private readonly Func<string, PacketRouter> _route;
    private readonly BuildCollectorOptions _options;
    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _gate = new();
    private readonly List<Task<CollectedBuild>> _builds = [];   // under the lock, as the next
    private readonly List<Link> _links = [];
    private readonly Dictionary<string, string> _parts = new(StringComparer.Ordinal);   // under the lock; see NameOf
    private Task _accepting = Task.CompletedTask;

    private BuildCollector(LinkListener listener, BuildNote note, Func<string, PacketRouter> route, BuildCollectorOptions options)
    {
        _options = options;
        _listener = listener;
        _note = note;
        _route = route;
    }

    /// <summary>Gets the file that the logger's parameter <c>connect</c> names.</summary>
    public string ConnectionFile => _note.ConnectionPath;

    /// <summary>Begins to listen.</summary>
    /// <param name="route">Creates the router of a build, given the collector's name for it: with a handler of
    /// <see cref="BuildEvent.PacketType"/>, with a store, or both.</param>
    /// <param name="options">The options; null: all defaults.</param>
    /// <returns>The collector; close it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="route"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><see cref="BuildCollectorOptions.MaxLinks"/>.</exception>
    /// <exception cref="TransportException">It cannot listen; the message says why and what to do.</exception>
    /// <exception cref="IOException">Its note cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">Its note may not be written.</exception>
    public static BuildCollector Start(Func<string, PacketRouter> route, BuildCollectorOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(route);
        options ??= new BuildCollectorOptions();
        ArgumentOutOfRangeException.ThrowIfLessThan(options.MaxLinks, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.MaxLinks, MostLinks);
        WireKind kind = OperatingSystem.IsWindows() ? WireKind.NamedPipe : WireKind.UnixSocket;
        var listener = LinkListener.Start(kind, new LinkOptions { Node = "collector" });
        var collector = new BuildCollector(listener, new BuildNote(options.Journal, options.IsForOneCommand), route, options);
        Invitation first = collector.Invite(1);
        collector._accepting = collector.AcceptAsync(first);
        return collector;
    }

    /// <summary>Makes the loggers of a build in process with MSBuild's worker nodes: a <see cref="TransportLogger"/> for this process, a
    /// <see cref="TransportForwarder"/> for each node, which sends its events over a link of its own; MSBuild carries none of
    /// them.</summary>
    /// <param name="connectionFile">Where the collector says how to reach it: <see cref="ConnectionFile"/>, or the note of a
    /// <c>transport collect</c>.</param>
    /// <param name="parameters">Further parameters of the logger, for example <c>required=true;wait=5</c>; empty by default.</param>
    /// <returns>What goes into <see cref="Microsoft.Build.Execution.BuildParameters.ForwardingLoggers"/>, for one build.</returns>
    /// <exception cref="ArgumentException"><paramref name="connectionFile"/> is empty or has a semicolon, which ends a
    /// parameter.</exception>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="NotSupportedException">The program is one file: a worker node, which is a process of MSBuild's, could not load
    /// the logger.</exception>
    /// <remarks>Names MSBuild's types: the program must have found the SDK's assemblies (Microsoft.Build.Locator) before a method that
    /// calls this is compiled.</remarks>
    public static ForwardingLoggerRecord CreateForwarder(string connectionFile, string parameters = "")
    {
        ArgumentException.ThrowIfNullOrEmpty(connectionFile);
        ArgumentNullException.ThrowIfNull(parameters);
        if (connectionFile.Contains(';', StringComparison.Ordinal))
        {
            throw new ArgumentException($"\"{connectionFile}\": expected a path without semicolons.", nameof(connectionFile));
        }

        Type forwarder = typeof(TransportForwarder);
        string assembly = forwarder.Assembly.Location;
        if (assembly.Length == 0)
        {
            throw new NotSupportedException("MSBuild's worker nodes load the logger from a file: publish the program with "
                + "PublishSingleFile=false.");
        }

        string all = string.Create(CultureInfo.InvariantCulture, $"connect={connectionFile};build={Guid.NewGuid():N};{parameters}");
        return new ForwardingLoggerRecord(
            new TransportLogger { Parameters = all },
            new LoggerDescription(forwarder.FullName, null, assembly, all, LoggerVerbosity.Diagnostic));
    }

    /// <summary>Stops listening, waits at most 5 s for the builds that are still connected, and ends the links that are left. Call it
    /// once.</summary>
    /// <returns>What became of each build, in the order in which they connected.</returns>
    public async Task<IReadOnlyList<CollectedBuild>> CloseAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await _accepting.ConfigureAwait(false);
        Task<CollectedBuild>[] builds;
        Link[] links;
        lock (_gate)
        {
            (builds, links) = ([.. _builds], [.. _links]);
        }

        Task all = Task.WhenAll(builds);
        await Task.WhenAny(all, Task.Delay(LastWait)).ConfigureAwait(false);
        await _listener.DisposeAsync().ConfigureAwait(false);
        foreach (Link link in links.Where(link => !link.Completion.IsCompleted))
        {
            link.Abort("the collector has ended");   // a reused node or a build server may keep its link for good
        }

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
        string node = number == 1 ? "build"
            : string.Create(CultureInfo.InvariantCulture, $"build{(_options.IsForOneCommand ? ".s" : string.Empty)}{number}");
        LinkTicket ticket = _listener.Expect(node);
        TailFile? tail = WorkerTail.TryCreate(node, TailBytes);
        try
        {
            _note.Write(new ConnectionFile(_listener.Endpoint, ticket.Secret, tail?.Path));
            return new Invitation(number, ticket, tail);
        }
        catch
        {
            ticket.Cancel();
            tail?.Dispose();
            throw;
        }
    }

    /// <summary>Invites the next build. If that fails, because the disk is full for example, it is reported once, and tried again until it
    /// works.</summary>
    /// <returns>Null if the collector has ended meanwhile.</returns>
    private async Task<Invitation?> InviteAsync(int number)
    {
        for (bool isReported = false; !_stop.IsCancellationRequested;)
        {
            try
            {
                return Invite(number);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or TransportException)
            {
                if (!isReported)
                {
                    isReported = true;
                    _options.Report?.Invoke($"no further build can connect until this works again: {e.Message}");
                }
            }
            catch (ObjectDisposedException)
            {
                return null;
            }

            await PauseAsync().ConfigureAwait(false);
        }

        return null;
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
                if (_stop.IsCancellationRequested || await AgainAsync(next.Number, e).ConfigureAwait(false) is not { } another)
                {
                    return;
                }

                next = another;
                continue;
            }

            Task<CollectedBuild> build = FollowAsync(link, next);
            lock (_gate)
            {
                _builds.Add(build);
                _links.Add(link);
            }

            if (!await WaitForRoomAsync().ConfigureAwait(false)
                || await InviteAsync(next.Number + 1).ConfigureAwait(false) is not { } further)
            {
                return;
            }

            next = further;
        }
    }

    /// <summary>A build that did not get in, for lack of threads or descriptors for example, is no reason to let no other in.</summary>
    private async Task<Invitation?> AgainAsync(int number, Exception why)
    {
        _options.Report?.Invoke($"a build could not connect: {ExceptionText.Brief(why)}");
        await PauseAsync().ConfigureAwait(false);
        return await InviteAsync(number).ConfigureAwait(false);
    }

    private Task PauseAsync() => Task.Delay(Retry, _stop.Token).ContinueWith(static _ => { }, TaskScheduler.Default);

    /// <summary>Waits until fewer builds are connected than may be; that it waits is reported each time.</summary>
    /// <returns>False if the collector has ended meanwhile.</returns>
    private async Task<bool> WaitForRoomAsync()
    {
        Task[] open;
        lock (_gate)
        {
            open = [.. _links.Where(link => !link.Completion.IsCompleted).Select(link => link.Completion)];
        }

        if (open.Length >= _options.MaxLinks)
        {
            _options.Report?.Invoke(string.Create(CultureInfo.InvariantCulture,
                $"{open.Length} links are open, as many as may be (builds, and nodes of builds): "
                    + $"the next build can connect when one ends"));
            await Task.WhenAny([Task.Delay(Timeout.Infinite, _stop.Token), .. open]).ConfigureAwait(false);
        }

        return !_stop.IsCancellationRequested;
    }

    private async Task<CollectedBuild> FollowAsync(Link link, Invitation invitation)
    {
        string node = NameOf(link.Peer, invitation);
        using WorkerTail? tail = invitation.Tail is { } file ? WorkerTail.OfStranger(node, file, link) : null;
        try
        {
            PacketRouter router = _route(node);
            if (tail is null)
            {
                link.Start(router);
            }
            else
            {
                tail.Start(link, router);
            }
        }
#pragma warning disable CA1031 // the caller's function: its mistake ends this build's link, and no other's
        catch (Exception e)
#pragma warning restore CA1031
        {
            link.Abort($"no router was made for {node}: {ExceptionText.Brief(e)}");
            _options.Report?.Invoke($"{node} is not collected: {ExceptionText.Brief(e)}");
        }

        LinkEnd end = await link.Completion.ConfigureAwait(false);
        end = tail?.Count(link, end) ?? end;
        await link.DisposeAsync().ConfigureAwait(false);
        return new CollectedBuild(node, end);
    }

    /// <summary>A build whose nodes have links of their own (<see cref="CreateForwarder"/>) has one name, which the first of them got; the
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

    private sealed record Invitation(int Number, LinkTicket Ticket, TailFile? Tail);
}
