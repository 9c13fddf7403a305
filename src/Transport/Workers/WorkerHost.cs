using System;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The worker's side: finds the main node that started this process.</summary>
public static class WorkerHost
{
    /// <summary>The exit code of a worker that ended because its main node was gone: 69, EX_UNAVAILABLE of sysexits.h.</summary>
    public const int MainNodeGoneExitCode = 69;

    /// <summary>Gets a value indicating whether a main node has started this process and <see cref="ConnectAsync"/> has not been called
    /// yet.</summary>
    public static bool IsWorker => Environment.GetEnvironmentVariable(WorkerEnvironment.Endpoint) is { Length: > 0 };

    /// <summary>Gets the trace context in which the main node started this process (<c>TRACEPARENT</c>, W3C), for the parent of an
    /// activity; default if there is none, or it is malformed. <c>RunAsync</c> does its work in a span of the source <c>Transport</c> with
    /// this parent.</summary>
    public static ActivityContext ParentContext =>
        TransportTracing.TryParse(Environment.GetEnvironmentVariable(WorkerEnvironment.TraceParent), out ActivityContext context)
            ? context : default;

    /// <summary>Connects to the main node that started this process. Call it once, early in Main.</summary>
    /// <param name="router">The handlers of the main node's packets. Null: packets are counted as unhandled.</param>
    /// <param name="options">The options; null: all defaults.</param>
    /// <param name="cancellationToken">Ends the wait for the connection.</param>
    /// <returns>The link, reading. Close it when the work is done; it is the caller's.</returns>
    /// <remarks>
    /// The variables are removed from this process's environment before anything else happens, so that no child inherits them, neither one
    /// started by .NET nor one started by native code; the secret is overwritten in the block that <c>/proc/PID/environ</c> shows. It is
    /// good for one connection, so a failed call cannot be repeated.
    /// </remarks>
    /// <exception cref="TransportException">
    /// <see cref="TransportFault.BadConfiguration"/>: the variables are missing or wrong: no main node has started this process;
    /// <see cref="TransportFault.BadEndpoint"/>, <see cref="TransportFault.ConnectFailed"/>, <see cref="TransportFault.HandshakeTimeout"/>,
    /// <see cref="TransportFault.Rejected"/>: as
    /// <see cref="Link.ConnectAsync"/>.
    /// </exception>
    /// <exception cref="ArgumentException">An option cannot be used; the message names every one.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled.</exception>
    public static async Task<Link> ConnectAsync(
        PacketRouter? router = null, WorkerHostOptions? options = null, CancellationToken cancellationToken = default)
    {
        string? endpoint = WorkerEnvironment.Take(WorkerEnvironment.Endpoint);
        string? secret = WorkerEnvironment.Take(WorkerEnvironment.Secret);
        string? tail = WorkerEnvironment.Take(WorkerEnvironment.Tail);
        options ??= new WorkerHostOptions();
        if (string.IsNullOrEmpty(endpoint) || string.IsNullOrEmpty(secret))
        {
            string missing = string.IsNullOrEmpty(endpoint) ? WorkerEnvironment.Endpoint : WorkerEnvironment.Secret;
            throw new TransportException(
                TransportFault.BadConfiguration,
                $"This program is a worker: it is started by a main node, which sets {WorkerEnvironment.Endpoint} and "
                    + $"{WorkerEnvironment.Secret}; {missing} is not set, or was used already.");
        }

        var to = WireEndpoint.Parse(endpoint!);
        LinkSecret key = Read(secret!);
        LinkOptions settings = options.Link ?? throw new ArgumentException("Link = null, allowed: link options", nameof(options));
        LinkOptions copy = settings.ForConnector();
        copy.ClosesOnStop = options.CloseOnStop;
        TailMap? kept = WorkerTail.TryOpen(copy.OwnNode, tail);
        Link link = await LinkConnector.ConnectAsync(to, key, copy, kept, cancellationToken).ConfigureAwait(false);
        if (options.ExitWithMainNode)
        {
            TieOrAbort(link, options.Host);
        }

        link.Start(router ?? new PacketRouter());
        return link;
    }

    /// <summary>The exit code of <c>RunAsync</c> for a worker that was not started by a main node: 64, EX_USAGE of
    /// sysexits.h.</summary>
    public const int NotAWorkerExitCode = 64;

    /// <summary>Runs a worker that does nothing by itself: connects, and handles packets and requests until the main node asks it to finish
    /// or closes the link. What keeps it from having a link is one line on stderr and an exit code, not an exception that ends the process
    /// with a core dump.</summary>
    /// <param name="router">The handlers.</param>
    /// <param name="options">As in <see cref="ConnectAsync"/>; <see cref="WorkerHostOptions.CloseOnStop"/> is taken for false.</param>
    /// <returns>The exit code: 0 if the main node ended it in order and has handled every packet; <see cref="NotAWorkerExitCode"/> if no
    /// main node has started this process; <see cref="MainNodeGoneExitCode"/> else.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="router"/> is null.</exception>
    /// <exception cref="ArgumentException">An option cannot be used; the message names every one.</exception>
    public static Task<int> RunAsync(PacketRouter router, WorkerHostOptions? options = null)
    {
        ArgumentGuard.NotNull(router, nameof(router));
        return RunAsync(ServeAsync, router, options);
    }

    /// <summary>Runs a worker: connects, does the work, closes the link. What keeps it from having a link is one line on stderr and an exit
    /// code, not an exception that ends the process with a core dump.</summary>
    /// <param name="work">The work; its result is the exit code. Its token is cancelled when the main node asks it to finish; the link
    /// stays open until it returns, so that its last packets arrive. Work that does not return within the main node's
    /// <c>MainNodeOptions.StopTimeout</c> is killed. What it throws comes as it is, after the link was closed; so does the
    /// <see cref="OperationCanceledException"/> of a call that was given the token.</param>
    /// <param name="router">As in <see cref="ConnectAsync"/>.</param>
    /// <param name="options">As in <see cref="ConnectAsync"/>; <see cref="WorkerHostOptions.CloseOnStop"/> is taken for false.</param>
    /// <returns>The exit code: the work's own; if that is 0, <see cref="MainNodeGoneExitCode"/> if the main node did not take every packet;
    /// <see cref="NotAWorkerExitCode"/> if no main node has started this process; <see cref="MainNodeGoneExitCode"/> if it could not be
    /// reached.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="work"/> is null.</exception>
    /// <exception cref="ArgumentException">An option cannot be used; the message names every one.</exception>
    public static Task<int> RunAsync(
        Func<Link, CancellationToken, Task<int>> work, PacketRouter? router = null, WorkerHostOptions? options = null)
    {
        ArgumentGuard.NotNull(work, nameof(work));
        WorkerHostOptions given = options ?? new WorkerHostOptions();
        var own = new WorkerHostOptions
        {
            Link = given.Link, ExitWithMainNode = given.ExitWithMainNode, CloseOnStop = false,
        };
        return ConnectAndRunAsync(link => work(link, link.StopRequested), router, own);
    }

    /// <inheritdoc cref="RunAsync(Func{Link, CancellationToken, Task{int}}, PacketRouter?, WorkerHostOptions?)"/>
    /// <param name="work">The work; its result is the exit code. <see cref="WaitForStopAsync"/> and <see cref="Link.StopRequested"/> say when
    /// the main node asks it to finish; else as for work that takes a token.</param>
    /// <param name="router">As in <see cref="ConnectAsync"/>.</param>
    /// <param name="options">As above.</param>
    public static Task<int> RunAsync(Func<Link, Task<int>> work, PacketRouter? router = null, WorkerHostOptions? options = null)
    {
        ArgumentGuard.NotNull(work, nameof(work));
        return RunAsync((link, _) => work(link), router, options);
    }

    /// <summary>Runs a worker whose work is no task. When the main node asks it to finish, the link closes, as
    /// <see cref="WorkerHostOptions.CloseOnStop"/> says, and sends are answered Closed.</summary>
    /// <inheritdoc cref="RunAsync(Func{Link, CancellationToken, Task{int}}, PacketRouter?, WorkerHostOptions?)"/>
    /// <param name="work">The work; its result is the exit code. What it throws comes as it is, after the link was closed.</param>
    /// <param name="router">As in <see cref="ConnectAsync"/>.</param>
    /// <param name="options">As in <see cref="ConnectAsync"/>.</param>
    public static Task<int> RunAsync(Func<Link, int> work, PacketRouter? router = null, WorkerHostOptions? options = null)
    {
        ArgumentGuard.NotNull(work, nameof(work));
        return ConnectAndRunAsync(link => Task.FromResult(work(link)), router, options);
    }

    /// <summary>Waits until the main node asks this worker to finish, or the link has ended: for a worker that has done what it does by
    /// itself, and still handles packets and requests.</summary>
    /// <param name="link">The link to the main node.</param>
    /// <returns>Completes then, without an exception.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="link"/> is null.</exception>
    public static async Task WaitForStopAsync(Link link)
    {
        ArgumentGuard.NotNull(link, nameof(link));
        var asked = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        using (link.StopRequested.Register(() => asked.TrySetResult(true)))
        {
            await Task.WhenAny(asked.Task, link.Completion).ConfigureAwait(false);
        }
    }

    private static async Task<int> ServeAsync(Link link, CancellationToken stop)
    {
        await WaitForStopAsync(link).ConfigureAwait(false);
        return 0;
    }

    private static async Task<int> ConnectAndRunAsync(Func<Link, Task<int>> work, PacketRouter? router, WorkerHostOptions? options)
    {
        Link link;
        try
        {
            link = await ConnectAsync(router, options).ConfigureAwait(false);
        }
        catch (TransportException e)
        {
            await Console.Error.WriteLineAsync(e.Message).ConfigureAwait(false);
            return e.Fault == TransportFault.BadConfiguration ? NotAWorkerExitCode : MainNodeGoneExitCode;
        }

        await using (link.ConfigureAwait(false))
        {
            int exitCode = await TracedAsync(work, link).ConfigureAwait(false);
            if (link.StopRequested.IsCancellationRequested)
            {
                await link.AnswerRequestsAsync().ConfigureAwait(false);   // what was begun is answered; the main node sets the time for it
            }

            LinkEnd end = await link.CloseAsync().ConfigureAwait(false);
            return exitCode == 0 && !(end.IsClean && link.Receipt.NoLossKnown) ? MainNodeGoneExitCode : exitCode;
        }
    }

    /// <summary>Does the work as a span whose parent is what the main node was doing when it started this process.</summary>
    private static Task<int> TracedAsync(Func<Link, Task<int>> work, Link link) =>
        TransportTracing.Begin("worker", ActivityKind.Internal, ParentContext) is { } span ? EndAsync(span, work, link) : work(link);

    private static async Task<int> EndAsync(Activity span, Func<Link, Task<int>> work, Link link)
    {
        Exception? failure = null;
        try
        {
            return await work(link).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            failure = e;
            throw;
        }
        finally
        {
            TransportTracing.End(span, failure);
        }
    }

    private static LinkSecret Read(string secret)
    {
        try
        {
            return LinkSecret.Parse(secret);
        }
        catch (FormatException e)
        {
            string message = $"{WorkerEnvironment.Secret} cannot be used: {e.Message}";
            throw new TransportException(TransportFault.BadConfiguration, message, e);
        }
    }

    /// <summary>A link that nobody can close any more would keep the main node waiting.</summary>
    private static void TieOrAbort(Link link, HostStop? host)
    {
        try
        {
            ParentProcessMonitor.Start(link, MainNodeGoneExitCode, host);
        }
        catch (IOException e)
        {
            link.Abort("the main node cannot be watched: " + e.Message);
            string message = $"The main node cannot be watched, so the link to it was ended: {e.Message}";
            throw new TransportException(TransportFault.ConnectFailed, message, e);
        }
    }

    /// <summary>Ends this process with an exit code, and promptly: what a worker does last, when its link is closed.</summary>
    /// <param name="exitCode">0 to 255.</param>
    /// <remarks>
    /// The console is flushed. On .NET this is <see cref="Environment.Exit"/>. Mono 6.8 can hang for a minute while it leaves Main or
    /// exits, waiting for a pool thread that was just started (about 1 time in 30 under load); there the process ends without finalizers
    /// and without ProcessExit handlers.
    /// </remarks>
    [DoesNotReturn]
    public static void Exit(int exitCode)
    {
        Console.Out.Flush();
        Console.Error.Flush();
        if (Type.GetType("Mono.Runtime") is not null && !RuntimeInformation.IsOSPlatform(OSPlatform.Windows))
        {
            Libc._exit(exitCode);
        }

        Environment.Exit(exitCode);
        throw new InvalidOperationException("Environment.Exit has returned.");
    }
}
