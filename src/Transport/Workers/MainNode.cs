using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The main node: a private endpoint, and the workers it has started. Safe from any thread; a process may have several.</summary>
/// <remarks>
/// A worker gets endpoint and secret from its environment (<c>TRANSPORT_ENDPOINT</c>, <c>TRANSPORT_SECRET</c>; PROTOCOL.md), never by its
/// command line, which every user of the machine can read. If this process dies, workers notice by the end of the stream, see
/// <see cref="WorkerHost"/>.
/// </remarks>
public sealed class MainNode : IAsyncDisposable
{
    private readonly object _gate = new();
    private readonly List<WorkerProcess> _workers = new();
    private readonly MainNodeOptions _options;
    private readonly LinkListener _listener;
    private readonly InheritedListener? _pipes;   // null: workers connect to a socket
    private readonly OomLedger _memory = new();
    private readonly StartGate _starting = new();
    private int _lastNumber;   // raised by each start of a worker, from any thread: a count by itself
    private Task? _disposed;

    private MainNode(MainNodeOptions options)
    {
        _options = options;
        IWireListener wires = Listen(options);
        _pipes = wires as InheritedListener;
        _listener = new LinkListener(wires, options.Link);
        _listener.ConnectionRefused += (_, refused) => OnRefused(refused);
        _listener.AcceptFailed = OnAcceptFailed;
    }

    /// <summary>Gets where it listens. Of <see cref="WireKind.Inherited"/> it has no address: each worker has pipes of its own.</summary>
    public WireEndpoint Endpoint => _listener.Endpoint;

    /// <summary>Gets how many connections never got Welcome.</summary>
    public long RefusedConnections => _listener.RefusedConnections;

    /// <summary>Gets the workers that have not ended, in the order of their start.</summary>
    public IReadOnlyList<WorkerProcess> Workers
    {
        get
        {
            lock (_gate)
            {
                return [.. _workers];
            }
        }
    }

    /// <summary>Sets what is called with the options of each worker before it is started: a copy with a name, to be changed at will. Before
    /// the first one is started.</summary>
    internal Action<WorkerStartOptions>? Starting { private get; set; }

    /// <summary>Sets what is called with each worker once it is started. Before the first one is.</summary>
    internal Action<WorkerProcess>? Started { private get; set; }

    /// <summary>Occurs for each connection that got no Welcome; from any thread. A subscriber must not throw or wait.</summary>
    public event EventHandler<RefusedConnection>? ConnectionRefused;

    /// <summary>Begins to listen.</summary>
    /// <param name="options">The options, copied; null: all defaults.</param>
    /// <returns>The main node, owned by the caller.</returns>
    /// <exception cref="ArgumentException">An option cannot be used; the message names every one.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.BadEndpoint"/>: there is no folder for the endpoint, or somebody
    /// listens there.</exception>
    public static MainNode Start(MainNodeOptions? options = null) => new((options ?? new MainNodeOptions()).CheckedCopy());

    /// <summary>Starts a worker.</summary>
    /// <param name="start">The program, its handlers, its name. <see cref="ProcessStartOptions.Output"/> hears of each line that it writes:
    /// lines and packets have no common order, <see cref="OutputLine.Activity"/> ties a line to the work.</param>
    /// <returns>The worker; its link comes later.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.StartFailed"/>: the program could not be started, the message says
    /// why, and <see cref="TransportException.Code"/> as a shell sorts it. <see cref="TransportFault.ConnectFailed"/>: the listener has
    /// failed, no worker can connect any more.</exception>
    /// <exception cref="ArgumentException"><paramref name="start"/> cannot be used.</exception>
    /// <exception cref="InvalidOperationException">The loops of its router (<see cref="PacketRouter.ReadAllAsync{T}"/>) have
    /// ended.</exception>
    /// <exception cref="ObjectDisposedException">The main node was disposed.</exception>
    public WorkerProcess StartWorker(WorkerStartOptions start)
    {
        WorkerStartOptions copy = (start ?? throw new ArgumentNullException(nameof(start))).CheckedCopy();
        PacketRouter given = copy.Router;
        copy.Node ??= _options.NodePrefix + Interlocked.Increment(ref _lastNumber).ToString(CultureInfo.InvariantCulture);
        Starting?.Invoke(copy);
        given.Freeze();   // now, not when it connects: what is added meanwhile would take part or not, as it happens
        copy.Router.Uses.Enter();
        LinkTicket ticket;
        try
        {
            ticket = _listener.Expect(copy.Node);
        }
        catch
        {
            copy.Router.Uses.Leave(wasUsed: false);
            throw;
        }

        WorkerProcess? worker = null;
        TailFile? tail = null;
        ChildProcess? child = null;
        InheritedPipes? pipes = null;
        try
        {
            pipes = _pipes is null ? null : CreatePipes(copy);
            copy.Environment[WorkerEnvironment.Endpoint] = (pipes?.Child.Endpoint ?? Endpoint).ToString();
            copy.Environment[WorkerEnvironment.Secret] = ticket.Secret.Reveal();
            tail = WorkerTail.TryCreate(ticket.Node, _options.TailBytes, pipes?.Child);
            copy.Environment[WorkerEnvironment.Tail] = tail?.Path; // none: nor that of a main node which is a worker itself
            if (TransportTracing.Current is { } traceParent && !copy.Environment.ContainsKey(WorkerEnvironment.TraceParent))
            {
                copy.Environment[WorkerEnvironment.TraceParent] = traceParent;
            }

            if (!_starting.TryEnter())
            {
                throw new ObjectDisposedException(nameof(MainNode));
            }

            try
            {
                // Not under the lock: the system may take long to start a program, and others ask for the workers meanwhile.
                var notes = new WorkerNotes();
                if (copy.Output is { } output)
                {
                    copy.Output = line => output(line with { Node = ticket.Node, Activity = notes.Activity });
                }

                child = ChildProcess.Start(copy, _memory);
                pipes?.Child.Dispose();   // the child has its own
                var made = new WorkerProcess(copy.FileName, child, ticket, tail, _options, notes);
                lock (_gate)
                {
                    _workers.Add(made);
                }

                worker = made;
            }
            finally
            {
                _starting.Leave(worker);
            }
        }
        finally
        {
            if (worker is null)
            {
                // Refused, or something threw: nobody would follow a process that was started.
                copy.Router.Uses.Leave(wasUsed: false);
                ticket.Cancel();
                child?.Kill();
                tail?.Dispose();
                pipes?.Dispose();
            }
        }

        if (pipes is not null)
        {
            _pipes!.Offer(pipes.Own, worker.ProcessId);
        }

        WorkerMeter.Started();
        _ = FollowAsync(worker, copy.Router, pipes?.Own);
        Started?.Invoke(worker);
        return worker;
    }

    /// <summary>Starts a pool of equal workers.</summary>
    /// <param name="start">What each of them is started with, copied; <see cref="WorkerStartOptions.Node"/> is null, each gets a name of
    /// its own.</param>
    /// <param name="options">The options, copied; null: all defaults.</param>
    /// <returns>The pool, owned by the caller, who disposes of it before the main node. Its workers are started meanwhile; one that cannot
    /// be started is tried again.</returns>
    /// <exception cref="ArgumentException">An option cannot be used; the message names every one.</exception>
    /// <exception cref="InvalidOperationException">The loops of its router (<see cref="PacketRouter.ReadAllAsync{T}"/>) have
    /// ended.</exception>
    public WorkerPool StartPool(WorkerStartOptions start, WorkerPoolOptions? options = null)
    {
        WorkerPool pool = CreatePool(start, options);
        pool.Start();
        return pool;
    }

    /// <summary>As <see cref="StartPool"/>, of which the owner starts the pool.</summary>
    internal WorkerPool CreatePool(WorkerStartOptions start, WorkerPoolOptions? options)
    {
        WorkerStartOptions copy = (start ?? throw new ArgumentNullException(nameof(start))).CheckedCopy();
        if (copy.Node is { } node)
        {
            throw new ArgumentException($"Node = \"{node}\", allowed: null; a pool names its workers itself.", nameof(start));
        }

        copy.Router.Uses.Enter();
        WorkerPool? pool = null;
        try
        {
            pool = new WorkerPool(() => StartWorker(copy), options);
        }
        finally
        {
            if (pool is null)
            {
                copy.Router.Uses.Leave(wasUsed: false);
            }
        }

        copy.Router.Freeze();
        _ = pool.Completion.ContinueWith(_ => copy.Router.Uses.Leave(), TaskScheduler.Default);
        return pool;
    }

    /// <summary>
    /// Stops all workers as <see cref="WorkerProcess.StopAsync"/> does, each with <see cref="MainNodeOptions.StopTimeout"/>, then stops
    /// listening and removes the socket. None is left running, except a process that the system cannot kill.
    /// </summary>
    /// <returns>A task that completes when all have ended.</returns>
    public ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            _disposed ??= Task.Run(StopAsync);
            return new ValueTask(_disposed);
        }
    }

    private async Task StopAsync()
    {
        await _starting.CloseAsync().ConfigureAwait(false);   // then every process that was started is in the list
        await Task.WhenAll(Workers.Select(worker => worker.StopAsync("the main node ends"))).ConfigureAwait(false);
        await _listener.DisposeAsync().ConfigureAwait(false);
    }

    /// <exception cref="TransportException">As <see cref="LinkListener.Start(WireEndpoint, LinkOptions)"/>.</exception>
    private static IWireListener Listen(MainNodeOptions options)
    {
        if (options.Wire == WireKind.Inherited)
        {
            return ListenForPipes();
        }

        try
        {
            return WireFactory.Listen(options.Endpoint ?? WireEndpoint.CreatePrivate(options.Wire));
        }
        catch (TransportException e) when (e.Code == EndpointFaults.NotPermitted && options.Endpoint is null && !SocketPath.IsWindows)
        {
            TransportEventSource.Log.SocketRefused(options.Link.OwnNode, e.Message);
            return ListenForPipes();
        }
    }

    private static InheritedListener ListenForPipes()
    {
        if (SocketPath.IsWindows)
        {
            throw new TransportException(TransportFault.BadEndpoint, "Inherited pipes are for Unix; use NamedPipe on Windows.");
        }

        try
        {
            return new InheritedListener();
        }
        catch (IOException e)
        {
            throw new TransportException(TransportFault.BadEndpoint, e.Message, e);
        }
    }

    private static InheritedPipes CreatePipes(WorkerStartOptions start)
    {
        try
        {
            var pipes = InheritedPipes.Create();
            start.Inherited = pipes.Child.All;
            return pipes;
        }
        catch (IOException e)
        {
            throw new TransportException(
                TransportFault.StartFailed, $"\"{start.FileName}\" was not started: {e.Message}", e, code: "other");
        }
    }

    private async Task FollowAsync(WorkerProcess worker, PacketRouter router, InheritedWire? pipes)
    {
        WorkerExit end;
        try
        {
            end = await worker.FollowAsync(router).ConfigureAwait(false);
        }
#pragma warning disable CA1031 // a defect: the waiters for the end must hear of it
        catch (Exception defect)
#pragma warning restore CA1031
        {
            end = worker.GiveUp(defect);
        }
        finally
        {
            lock (_gate)
            {
                _workers.Remove(worker);
            }

            if (pipes is not null)
            {
                _pipes!.Withdraw(pipes);   // if it was never heard of: something that it has started may keep them open
            }
        }

        worker.Complete(end);   // before anything of the program's own is called: it may wait for this
        router.Uses.Leave();    // behind that: who has come to the end of a loop over its packets finds its exit
        WorkerMeter.Ended(end);
    }

    /// <summary>The waiter for a link may be the one that could not be taken; if it gets one later, nothing was lost.</summary>
    private void OnAcceptFailed(string why)
    {
        foreach (WorkerProcess worker in Workers.Where(worker => worker.IsWaitingForLink))
        {
            worker.NotAccepted(why);
        }
    }

    /// <summary>
    /// A refused connection is the cause of the end of the worker whose it was, and of no other's: anybody of this user may connect.
    /// </summary>
    private void OnRefused(RefusedConnection connection)
    {
        _starting.Note(connection);
        Workers.FirstOrDefault(worker => worker.IsWaitingForLink && worker.Owns(connection))?.Refused(connection.Code, connection.Message);
        ConnectionRefused?.Invoke(this, connection);
    }
}
