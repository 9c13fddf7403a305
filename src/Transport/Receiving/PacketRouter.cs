using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Which handler takes which packet. Filled first, then given to <c>Link.Start</c>, which freezes it. The same router may serve
/// several links.</summary>
/// <remarks>
/// <para>Handlers of one link run one at a time, on the link's receive thread, in the order of arrival; an asynchronous one is done before
/// the next begins and before its packet counts for Ack. So a handler that takes long holds up its own link, and one that waits for a
/// packet of its own link waits forever. Handlers of requests are the exception: they run beside the thread.</para>
/// <para>A router that is given to several links (<see cref="WorkerStartOptions"/> for several workers, a pool) has its handlers called by
/// several threads at the same time: what they share needs <c>Interlocked</c>, a lock or a concurrent collection.</para>
/// <para>
/// A handler that throws ends its link with <see cref="TransportFault.HandlerFailed"/>, never the process; with
/// <see cref="LinkOptions.EndOnHandlerFailure"/> off it is reported (<see cref="HandlerFailed"/>) and the link goes on.
/// </para>
/// <para>A packet without a handler is counted by type (<c>LinkCounters.UnknownByType</c>) and given, as bytes, to the handler of
/// <see cref="OnUnknown(RawPacketHandler)"/>.</para>
/// </remarks>
public sealed class PacketRouter
{
    private const DynamicallyAccessedMemberTypes Properties = DynamicallyAccessedMemberTypes.PublicProperties;
    private const int DefaultCapacity = 256;

    private readonly Dictionary<int, PacketHandler> _handlers = [];
    private readonly Dictionary<int, RequestHandler> _requests = [];

    /// <summary>
    /// Occurs if a request handler throws, and if a packet handler throws and <see cref="LinkOptions.EndOnHandlerFailure"/> is off. The
    /// sender is this router.
    /// </summary>
    /// <remarks>
    /// For a packet handler it is raised on the link's receive loop, which waits meanwhile; for a request handler beside it. What a
    /// subscriber throws goes to the event source Transport-Link and no further.
    /// </remarks>
    public event EventHandler<HandlerFailedEventArgs>? HandlerFailed;

    /// <summary>Gets a value indicating whether a link uses this router, so that nothing may be added.</summary>
    public bool IsFrozen { get; private set; }

    /// <summary>Gets who uses the router, and its loops.</summary>
    internal RouterUses Uses { get; private set; } = new();

    internal PacketHandler? Unknown { get; private set; }

    internal IPacketStore? Store { get; private set; }

    /// <summary>Handles a packet.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="handler">Called with each packet, which it owns: one at a time for each link, and for several links at the same
    /// time.</param>
    /// <returns>This router.</returns>
    /// <exception cref="ArgumentException">The type has a handler already.</exception>
    /// <exception cref="InvalidOperationException">The router is frozen.</exception>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public PacketRouter On<[DynamicallyAccessedMembers(Properties)] T>(Action<T> handler)
        where T : IPacket<T>
    {
        ArgumentGuard.NotNull(handler, nameof(handler));
        return On<T>((packet, _) => handler(packet));
    }

    /// <inheritdoc cref="On{T}(Action{T})"/>
    /// <param name="handler">Called with each packet, which it owns, and where the packet came from.</param>
    public PacketRouter On<[DynamicallyAccessedMembers(Properties)] T>(Action<T, PacketContext> handler)
        where T : IPacket<T> => On(PacketTypeOf<T>.Value, handler);

    /// <summary>Handles a packet asynchronously; the link's next packet waits until the task has completed.</summary>
    /// <inheritdoc cref="On{T}(Action{T})"/>
    public PacketRouter On<[DynamicallyAccessedMembers(Properties)] T>(Func<T, Task> handler)
        where T : IPacket<T>
    {
        ArgumentGuard.NotNull(handler, nameof(handler));
        return On<T>((packet, _) => handler(packet));
    }

    /// <inheritdoc cref="On{T}(Func{T, Task})"/>
    /// <param name="handler">Called with each packet, which it owns, and where the packet came from.</param>
    public PacketRouter On<[DynamicallyAccessedMembers(Properties)] T>(Func<T, PacketContext, Task> handler)
        where T : IPacket<T> => On(PacketTypeOf<T>.Value, handler);

    /// <summary>Handles a packet whose formatter is written by hand.</summary>
    /// <inheritdoc cref="On{T}(Action{T})"/>
    /// <param name="type">The packet's type.</param>
    /// <param name="handler">Called with each packet, which it owns, and where the packet came from.</param>
    public PacketRouter On<T>(PacketType<T> type, Action<T, PacketContext> handler) =>
        Add(type, ArgumentGuard.NotNull(handler, nameof(handler)), null);

    /// <summary>Handles a packet whose formatter is written by hand, asynchronously; the link's next packet waits until the task has
    /// completed.</summary>
    /// <inheritdoc cref="On{T}(PacketType{T}, Action{T, PacketContext})"/>
    public PacketRouter On<T>(PacketType<T> type, Func<T, PacketContext, Task> handler) =>
        Add(type, null, ArgumentGuard.NotNull(handler, nameof(handler)));

    /// <summary>Handles a packet as bytes, without reading it.</summary>
    /// <param name="type">The packet type, 256 to 65535.</param>
    /// <param name="handler">Called with each packet, whose body stands in one block; the bytes are on loan until it returns.</param>
    /// <returns>This router.</returns>
    /// <exception cref="ArgumentException">The type has a handler already, or is not for callers.</exception>
    /// <exception cref="InvalidOperationException">The router is frozen.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="handler"/> is null.</exception>
    public PacketRouter OnRaw(ushort type, RawPacketHandler handler) =>
        Add(type, $"type {type}", new RawHandler($"type {type}", ArgumentGuard.NotNull(handler, nameof(handler)), null));

    /// <summary>Handles a packet as bytes, asynchronously; the link's next packet waits until the task has completed.</summary>
    /// <inheritdoc cref="OnRaw(ushort, RawPacketHandler)"/>
    /// <param name="type">The packet type, 256 to 65535.</param>
    /// <param name="handler">Called with each packet; the bytes are on loan until its task has completed. What <c>SendStreamAsync</c> sent
    /// it reads by <see cref="RawPacket.OpenStream"/>: no block has its size.</param>
    public PacketRouter OnRaw(ushort type, AsyncRawPacketHandler handler) =>
        Add(type, $"type {type}", new RawHandler($"type {type}", null, ArgumentGuard.NotNull(handler, nameof(handler))));

    /// <summary>Handles every packet that has no handler, as bytes: to forward it, to write it to a journal, to show it, or to say that it
    /// is not wanted (<c>OnUnknown(_ => { })</c>).</summary>
    /// <param name="handler">Called with each packet; the bytes are on loan until it returns.</param>
    /// <returns>This router.</returns>
    /// <exception cref="InvalidOperationException">The router is frozen.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="handler"/> is null.</exception>
    public PacketRouter OnUnknown(RawPacketHandler handler) => SetUnknown(ArgumentGuard.NotNull(handler, nameof(handler)), null);

    /// <summary>Handles every packet that has no handler, as bytes, asynchronously; the link's next packet waits until the task has
    /// completed.</summary>
    /// <inheritdoc cref="OnUnknown(RawPacketHandler)"/>
    /// <param name="handler">Called with each packet; the bytes are on loan until its task has completed.</param>
    public PacketRouter OnUnknown(AsyncRawPacketHandler handler) => SetUnknown(null, ArgumentGuard.NotNull(handler, nameof(handler)));

    /// <summary>Responds to a request. The handler runs beside the receive pump, at most <c>LinkOptions.MaxRequests</c> at once.</summary>
    /// <typeparam name="TRequest">The request.</typeparam>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <param name="handler">Called with each request, and where it came from; the context's token is cancelled when the caller cancels or
    /// gives up, or the link ends. An exception becomes a failure at the caller; its message travels, its stack does not.</param>
    /// <returns>This router.</returns>
    /// <exception cref="ArgumentException">The request has a handler already.</exception>
    /// <exception cref="InvalidOperationException">The router is frozen.</exception>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public PacketRouter OnRequest<
        [DynamicallyAccessedMembers(Properties)] TRequest,
        [DynamicallyAccessedMembers(Properties)] TResponse>(
        Func<TRequest, PacketContext, Task<TResponse>> handler)
        where TRequest : IPacket<TRequest>, IRequest<TResponse>
        where TResponse : IPacket<TResponse> => OnRequest(PacketTypeOf<TRequest>.Value, PacketTypeOf<TResponse>.Value, handler);

    /// <summary>Responds to a request at once.</summary>
    /// <inheritdoc cref="OnRequest{TRequest, TResponse}(Func{TRequest, PacketContext, Task{TResponse}})"/>
    /// <param name="handler">Called with each request. An exception becomes a failure at the caller.</param>
    public PacketRouter OnRequest<
        [DynamicallyAccessedMembers(Properties)] TRequest,
        [DynamicallyAccessedMembers(Properties)] TResponse>(
        Func<TRequest, TResponse> handler)
        where TRequest : IPacket<TRequest>, IRequest<TResponse>
        where TResponse : IPacket<TResponse>
    {
        ArgumentGuard.NotNull(handler, nameof(handler));
        return OnRequest<TRequest, TResponse>((request, _) => Task.FromResult(handler(request)));
    }

    /// <summary>Responds to a request of packets whose formatters are written by hand.</summary>
    /// <inheritdoc cref="OnRequest{TRequest, TResponse}(Func{TRequest, PacketContext, Task{TResponse}})"/>
    /// <param name="request">The request's type.</param>
    /// <param name="response">The response's type; only its formatter is used.</param>
    /// <param name="handler">Called with each request, as above.</param>
    public PacketRouter OnRequest<TRequest, TResponse>(
        PacketType<TRequest> request, PacketType<TResponse> response, Func<TRequest, PacketContext, Task<TResponse>> handler)
    {
        ArgumentGuard.NotNull(response, nameof(response));
        ArgumentGuard.NotNull(handler, nameof(handler));
        return Add(request, new ResponseHandler<TRequest, TResponse>(
            ArgumentGuard.NotNull(request, nameof(request)), response, handler));
    }

    /// <summary>Responds to a request, with reports of how far the response is before it.</summary>
    /// <typeparam name="TRequest">The request.</typeparam>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <typeparam name="TProgress">A report.</typeparam>
    /// <inheritdoc cref="OnRequest{TRequest, TResponse}(Func{TRequest, PacketContext, Task{TResponse}})"/>
    /// <param name="handler">Called with each request, what takes the reports, and where the request came from. A report never waits: one
    /// that cannot be sent yet is replaced by the next, and the last is sent before the response. A caller that wants none is sent
    /// none.</param>
    public PacketRouter OnRequest<
        [DynamicallyAccessedMembers(Properties)] TRequest,
        [DynamicallyAccessedMembers(Properties)] TResponse,
        [DynamicallyAccessedMembers(Properties)] TProgress>(
        Func<TRequest, IProgress<TProgress>, PacketContext, Task<TResponse>> handler)
        where TRequest : IPacket<TRequest>, IRequest<TResponse>
        where TResponse : IPacket<TResponse>
        where TProgress : IPacket<TProgress> => Add(
            PacketTypeOf<TRequest>.Value,
            new ProgressHandler<TRequest, TResponse, TProgress>(PacketTypeOf<TRequest>.Value, PacketTypeOf<TResponse>.Value,
                PacketTypeOf<TProgress>.Value, ArgumentGuard.NotNull(handler, nameof(handler))));

    /// <summary>Responds to a request with a stream of items.</summary>
    /// <typeparam name="TRequest">The request.</typeparam>
    /// <typeparam name="TItem">One item of the response.</typeparam>
    /// <param name="handler">Called with each request, and where it came from; the context's token is cancelled when the reader stops,
    /// cancels or gives up, or the link ends. The items are taken one at a time, as the reader reads; a write that waits for the reader is
    /// cancelled by the token too. An exception becomes a failure at the reader, behind the items before it.</param>
    /// <returns>This router.</returns>
    /// <exception cref="ArgumentException">The request has a handler already.</exception>
    /// <exception cref="InvalidOperationException">The router is frozen.</exception>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public PacketRouter OnRequestStream<
        [DynamicallyAccessedMembers(Properties)] TRequest,
        [DynamicallyAccessedMembers(Properties)] TItem>(
        Func<TRequest, PacketContext, IAsyncEnumerable<TItem>> handler)
        where TRequest : IPacket<TRequest>, IStreamRequest<TItem>
        where TItem : IPacket<TItem> => OnRequestStream(PacketTypeOf<TRequest>.Value, PacketTypeOf<TItem>.Value, handler);

    /// <summary>Responds to a request with a stream of items, of packets whose formatters are written by hand.</summary>
    /// <inheritdoc cref="OnRequestStream{TRequest, TItem}(Func{TRequest, PacketContext, IAsyncEnumerable{TItem}})"/>
    /// <param name="request">The request's type.</param>
    /// <param name="item">The items' type; only its formatter is used.</param>
    /// <param name="handler">Called with each request, as above.</param>
    public PacketRouter OnRequestStream<TRequest, TItem>(
        PacketType<TRequest> request, PacketType<TItem> item, Func<TRequest, PacketContext, IAsyncEnumerable<TItem>> handler)
    {
        ArgumentGuard.NotNull(item, nameof(item));
        ArgumentGuard.NotNull(handler, nameof(handler));
        return Add(request, new ItemsHandler<TRequest, TItem>(ArgumentGuard.NotNull(request, nameof(request)), item, handler));
    }

    /// <summary>Lets the program's own loop read the packets of a type: <c>await foreach (T packet in packets)</c>, instead of a
    /// handler.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="capacity">How many packets, of all links together, wait for the loop, 1 and more; 256 by default. They are objects,
    /// whose size only <see cref="LinkOptions.MaxPacketBytes"/> bounds.</param>
    /// <param name="cancellationToken">Ends the loop with an <see cref="OperationCanceledException"/>.</param>
    /// <returns>The packets, each the loop's own; for one loop. Call this before the router is given away, and loop over what it returns
    /// when the workers have been started.</returns>
    /// <remarks>
    /// <para>One loop reads the packets of all links of this router, one at a time, those of one link in the order in which they came. It
    /// ends when every link, worker and pool that used the router has ended (and each <see cref="Hold"/>), and all has been read.</para>
    /// <para>A packet counts as handled, and is acknowledged, when the loop takes the next one; so does the last, when the loop is left. A
    /// link's end waits for the loop as for a handler, so its body does not await that end (<c>StopAsync</c>, <c>CloseAsync</c>): leave the
    /// loop first. A link that is cut takes along what the loop has not taken: its receipt counts it.</para>
    /// <para>Requests may be awaited in the body. What arrives before their response waits for the loop; while it holds as many packets as
    /// it may, a link whose next packet is for the loop is not read. A request that this has held up for
    /// <see cref="HeartbeatOptions.SilenceTimeout"/> fails with <see cref="TransportFault.HandlerBlocked"/>, and so does a send if the peer
    /// reads nothing either. A loop that takes nothing for long is reported by <see cref="Link.Stalled"/>
    /// (<see cref="StallKind.Loop"/>).</para>
    /// <para>After a loop that was left (break, exception, cancel) what still comes, of any link, counts as
    /// <see cref="LinkReceipt.Unhandled"/>, and the worker's exit says so. Loops over several types run side by side: one after the other,
    /// the links would wait for the second.</para>
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="capacity"/> is less than 1.</exception>
    /// <exception cref="ArgumentException">The type has a handler already.</exception>
    /// <exception cref="InvalidOperationException">The router is frozen.</exception>
    public IAsyncEnumerable<T> ReadAllAsync<[DynamicallyAccessedMembers(Properties)] T>(
        int capacity = DefaultCapacity, CancellationToken cancellationToken = default)
        where T : IPacket<T> =>
        AddLoop(PacketTypeOf<T>.Value, capacity).ReadAsync(static (packet, _) => packet, cancellationToken);

    /// <summary>Lets the program's own loop read the packets of a type, each with where it came from.</summary>
    /// <inheritdoc cref="ReadAllAsync{T}(int, CancellationToken)"/>
    public IAsyncEnumerable<(T Packet, PacketContext Context)> ReadAllWithContextAsync<[DynamicallyAccessedMembers(Properties)] T>(
        int capacity = DefaultCapacity, CancellationToken cancellationToken = default)
        where T : IPacket<T> => ReadAllWithContextAsync(PacketTypeOf<T>.Value, capacity, cancellationToken);

    /// <summary>Lets the program's own loop read packets whose formatter is written by hand, each with where it came from.</summary>
    /// <inheritdoc cref="ReadAllAsync{T}(int, CancellationToken)"/>
    /// <param name="type">The packets' type.</param>
    /// <param name="capacity">How many packets wait for the loop, as above.</param>
    /// <param name="cancellationToken">Ends the loop.</param>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    public IAsyncEnumerable<(T Packet, PacketContext Context)> ReadAllWithContextAsync<T>(
        PacketType<T> type, int capacity = DefaultCapacity, CancellationToken cancellationToken = default) =>
        AddLoop(ArgumentGuard.NotNull(type, nameof(type)), capacity)
            .ReadAsync(static (packet, context) => (packet, context), cancellationToken);

    /// <summary>Keeps the router's loops (<see cref="ReadAllAsync{T}(int, CancellationToken)"/>) from ending while no link, worker or pool
    /// uses it: for links of a listener, which come and go. Links of spilling senders need none: a loop over them ends by its token
    /// only.</summary>
    /// <returns>Ends the hold when it is disposed of, once.</returns>
    /// <exception cref="InvalidOperationException">The loops have ended already.</exception>
    public IDisposable Hold() => new RouterHold(Uses);

    /// <summary>Stores every packet before its handler runs: from now on Ack means handled and flushed.</summary>
    /// <param name="store">Takes the packets; one router of its own for each link lets it know whose they are.</param>
    /// <returns>This router.</returns>
    /// <exception cref="InvalidOperationException">The router is frozen, or has a store already.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="store"/> is null.</exception>
    public PacketRouter UseStore(IPacketStore store)
    {
        ThrowIfFrozen();
        if (Store is not null)
        {
            throw new InvalidOperationException("The router has a store already: let one of the two pass its packets on to the other.");
        }

        Store = ArgumentGuard.NotNull(store, nameof(store));
        return this;
    }

    private PacketLoop<T> AddLoop<T>(PacketType<T> type, int capacity)
    {
        if (capacity < 1)
        {
            throw new ArgumentOutOfRangeException(nameof(capacity), capacity, $"Packet {type}: a loop holds 1 packet or more.");
        }

        var loop = new PacketLoop<T>(type, capacity, Uses);
        Add(type.Id, type.ToString(), loop);
        Uses.Add(loop);
        return loop;
    }

    private PacketRouter SetUnknown(RawPacketHandler? handler, AsyncRawPacketHandler? asyncHandler)
    {
        ThrowIfFrozen();
        Unknown = new RawHandler("of an unknown type", handler, asyncHandler);
        return this;
    }

    /// <summary>Makes a router with the same handlers, store and subscribers, to which more may be added.</summary>
    internal PacketRouter Copy()
    {
        var copy = new PacketRouter { Unknown = Unknown, Store = Store, HandlerFailed = HandlerFailed, Uses = Uses };
        foreach (KeyValuePair<int, PacketHandler> one in _handlers)
        {
            copy._handlers.Add(one.Key, one.Value);
        }

        foreach (KeyValuePair<int, RequestHandler> one in _requests)
        {
            copy._requests.Add(one.Key, one.Value);
        }

        return copy;
    }

    internal void OnHandlerFailed(HandlerFailedEventArgs failed) => HandlerFailed?.Invoke(this, failed);

    internal void Freeze() => IsFrozen = true;

    internal PacketHandler? Find(int type) => _handlers.TryGetValue(type, out PacketHandler? handler) ? handler : null;

    internal string NameOf(int type) => Find(type)?.Name ?? $"type {type}";

    internal RequestHandler? FindRequest(int type) => _requests.TryGetValue(type, out RequestHandler? handler) ? handler : null;

    internal PacketRouter Add(ushort type, string name, PacketHandler handler)
    {
        ThrowIfFrozen();
        if (!PacketType.IsForCallers(type))
        {
            throw new ArgumentOutOfRangeException(nameof(type), type, $"Packet {name}: handlers are for {PacketType.Allowed}.");
        }

        if (Find(type) is { } other)
        {
            string message = $"Packet {name}: type {type} has a handler already, for {other.Name}. A router takes one for each type; "
                + "if these are two packets, give one of them another number.";
            throw new ArgumentException(message, nameof(type));
        }

        _handlers.Add(type, handler);
        return this;
    }

    private PacketRouter Add<T>(PacketType<T> type, Action<T, PacketContext>? handler, Func<T, PacketContext, Task>? asyncHandler) =>
        Add(ArgumentGuard.NotNull(type, nameof(type)).Id, type.ToString(), new TypedHandler<T>(type, handler, asyncHandler));

    private PacketRouter Add(PacketType request, RequestHandler handler)
    {
        ThrowIfFrozen();
        if (_requests.ContainsKey(request.Id))
        {
            throw new ArgumentException($"Request {request} has a handler already: a router takes one for each type.", nameof(request));
        }

        _requests.Add(request.Id, handler);
        return this;
    }

    private void ThrowIfFrozen()
    {
        if (IsFrozen)
        {
            throw new InvalidOperationException(
                "The router is frozen, because a link or worker uses it: add handlers, and call ReadAllAsync, before it is given away (to "
                + "Link.Start, MainNode.StartWorker, MainNode.StartPool or WorkerHost.ConnectAsync).");
        }
    }
}
