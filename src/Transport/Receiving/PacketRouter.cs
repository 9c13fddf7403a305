using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Which handler takes which packet. Filled first, then given to <c>Link.Start</c>, which freezes it. The same router may serve
/// several links.</summary>
/// <remarks>
/// <para>Handlers of one link run one at a time, on the link's receive loop, in the order of arrival; an asynchronous one is done before
/// the
/// next begins and before its packet counts for Ack. So a handler that takes long holds up its own link, and one that waits for a packet
/// of its own link waits for ever. Handlers of request are the exception: they run beside the loop.</para>
/// <para>
/// A handler that throws ends its link with <see cref="TransportFault.HandlerFailed"/>, never the process; with
/// <c>LinkOptions.HandlerFailure</c> Report it is reported (<see cref="HandlerFailed"/>) and the link goes on.
/// </para>
/// <para>A packet without a handler is counted by type (<c>LinkCounters.UnknownByType</c>) and given, as bytes, to the handler of
/// <see cref="OnUnknown(Action{RawPacket})"/>.</para>
/// </remarks>
public sealed class PacketRouter
{
    private readonly Dictionary<int, PacketHandler> _handlers = [];
    private readonly Dictionary<int, RequestHandler> _requests = [];
    private PacketHandler? _unknown;

    /// <summary>
    /// Occurs if a request handler throws, and if a packet handler throws under <c>LinkOptions.HandlerFailure</c> Report. The sender is
    /// this router.
    /// </summary>
    /// <remarks>
    /// For a packet handler it is raised on the link's receive loop, which waits meanwhile; for a request handler beside it. What a
    /// subscriber throws goes to the event source Transport-Link and no further.
    /// </remarks>
    public event EventHandler<HandlerFailedEventArgs>? HandlerFailed;

    /// <summary>Gets a value indicating whether a link uses this router, so that nothing may be added.</summary>
    public bool IsFrozen { get; private set; }

    internal PacketHandler? Unknown => _unknown;

    internal IPacketStore? Keeper { get; private set; }

    /// <summary>Handles a packet.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="type">Its type.</param>
    /// <param name="handler">Called with each packet, which it owns.</param>
    /// <returns>This router.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadOptions"/>: the type has a handler already.</exception>
    /// <exception cref="InvalidOperationException">The router is frozen.</exception>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public PacketRouter On<T>(PacketType<T> type, Action<T> handler) =>
        Add(NotNull(type, nameof(type)).Id, type.ToString(), new TypedHandler<T>(type, NotNull(handler, nameof(handler)), null));

    /// <summary>Handles a packet asynchronously; the link's next packet waits until the task has completed.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="type">Its type.</param>
    /// <param name="handler">Called with each packet, which it owns.</param>
    /// <returns>This router.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadOptions"/>: the type has a handler already.</exception>
    /// <exception cref="InvalidOperationException">The router is frozen.</exception>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public PacketRouter On<T>(PacketType<T> type, Func<T, ValueTask> handler) =>
        Add(NotNull(type, nameof(type)).Id, type.ToString(), new TypedHandler<T>(type, null, NotNull(handler, nameof(handler))));

    /// <summary>Handles a packet as bytes, without reading it.</summary>
    /// <param name="type">The packet type, 256 to 65535.</param>
    /// <param name="handler">Called with each packet; the bytes are on loan until it returns.</param>
    /// <returns>This router.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadOptions"/>: the type has a handler already, or is not for
    /// callers.</exception>
    /// <exception cref="InvalidOperationException">The router is frozen.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="handler"/> is null.</exception>
    public PacketRouter OnRaw(int type, Action<RawPacket> handler) => Add(type, $"type {type}", new RawHandler($"type {type}", NotNull(handler, nameof(handler)), null));

    /// <summary>Handles a packet as bytes, asynchronously.</summary>
    /// <param name="type">The packet type, 256 to 65535.</param>
    /// <param name="handler">Called with each packet; the bytes are on loan until its task has completed.</param>
    /// <returns>This router.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadOptions"/>: the type has a handler already, or is not for
    /// callers.</exception>
    /// <exception cref="InvalidOperationException">The router is frozen.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="handler"/> is null.</exception>
    public PacketRouter OnRaw(int type, Func<RawPacket, ValueTask> handler) => Add(type, $"type {type}", new RawHandler($"type {type}", null, NotNull(handler, nameof(handler))));

    /// <summary>Takes every packet that has no handler, as bytes: to forward it, to write it to a journal, to show it.</summary>
    /// <param name="handler">Called with each packet; the bytes are on loan until it returns.</param>
    /// <returns>This router.</returns>
    /// <exception cref="InvalidOperationException">The router is frozen.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="handler"/> is null.</exception>
    public PacketRouter OnUnknown(Action<RawPacket> handler)
    {
        ExpectOpen();
        _unknown = new RawHandler("of an unknown type", NotNull(handler, nameof(handler)), null);
        return this;
    }

    /// <summary>Takes every packet that has no handler, as bytes, asynchronously.</summary>
    /// <param name="handler">Called with each packet; the bytes are on loan until its task has completed.</param>
    /// <returns>This router.</returns>
    /// <exception cref="InvalidOperationException">The router is frozen.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="handler"/> is null.</exception>
    public PacketRouter OnUnknown(Func<RawPacket, ValueTask> handler)
    {
        ExpectOpen();
        _unknown = new RawHandler("of an unknown type", null, NotNull(handler, nameof(handler)));
        return this;
    }

    /// <summary>Answers a request. The handler runs beside the receive loop, at most <c>LinkOptions.MaxRequests</c> at once.</summary>
    /// <typeparam name="TRequest">The question.</typeparam>
    /// <typeparam name="TAnswer">The answer.</typeparam>
    /// <param name="request">The question's type.</param>
    /// <param name="answer">The answer's type; only its formatter is used.</param>
    /// <param name="handler">Called with each question, and a token that is cancelled when the asker cancels or gives up, or the link ends.
    /// An exception becomes a failure at the asker; its message travels, its stack does not.</param>
    /// <returns>This router.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadOptions"/>: the request has a handler already.</exception>
    /// <exception cref="InvalidOperationException">The router is frozen.</exception>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public PacketRouter OnRequest<TRequest, TAnswer>(PacketType<TRequest> request, PacketType<TAnswer> answer, Func<TRequest, CancellationToken, Task<TAnswer>> handler)
    {
        ExpectOpen();
        var entry = new RequestHandler<TRequest, TAnswer>(NotNull(request, nameof(request)), NotNull(answer, nameof(answer)), NotNull(handler, nameof(handler)));
        if (_requests.ContainsKey(request.Id))
        {
            throw new TransportException(TransportFault.BadOptions, $"Request {request} has a handler already: a router takes one for each type.");
        }

        _requests.Add(request.Id, entry);
        return this;
    }

    /// <summary>Keeps every packet, before its handler: from now on Ack means handled and safe.</summary>
    /// <param name="keeper">Takes the packets; one router of its own for each link lets it know whose they are.</param>
    /// <returns>This router.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadOptions"/>: it has a keeper already.</exception>
    /// <exception cref="InvalidOperationException">The router is frozen.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="keeper"/> is null.</exception>
    public PacketRouter UseStore(IPacketStore keeper)
    {
        ExpectOpen();
        if (Keeper is not null)
        {
            throw new TransportException(TransportFault.BadOptions, "The router has a keeper already: where two are to keep packets, let one of them pass its packets on to the other.");
        }

        Keeper = NotNull(keeper, nameof(keeper));
        return this;
    }

    internal void OnHandlerFailed(HandlerFailedEventArgs failed) => HandlerFailed?.Invoke(this, failed);

    internal void Freeze() => IsFrozen = true;

    internal PacketHandler? Find(int type) => _handlers.TryGetValue(type, out PacketHandler? handler) ? handler : null;

    internal string NameOf(int type) => Find(type)?.Name ?? $"type {type}";

    internal RequestHandler? FindRequest(int type) => _requests.TryGetValue(type, out RequestHandler? handler) ? handler : null;

    private static T NotNull<T>(T? value, string name)
        where T : class => value ?? throw new ArgumentNullException(name);

    internal PacketRouter Add(int type, string name, PacketHandler handler)
    {
        ExpectOpen();
        if (type is < FrameHeader.FirstFreeType or > ushort.MaxValue || RequestTypes.IsOne(type) || TableTypes.IsOne(type))
        {
            throw new TransportException(TransportFault.BadOptions, $"Packet {name}: handlers are for types 256 to 65535 but {TableTypes.Strings} to {TableTypes.Types} and {RequestTypes.Request} to {RequestTypes.Cancel}, which are the link's own.");
        }

        if (Find(type) is { } other)
        {
            throw new TransportException(TransportFault.BadOptions, $"Packet {name}: type {type} has a handler already, for {other.Name}. A router takes one for each type; where these are two packets, one needs another number.");
        }

        _handlers.Add(type, handler);
        return this;
    }

    private void ExpectOpen()
    {
        if (IsFrozen)
        {
            throw new InvalidOperationException("The router is frozen, because a link uses it: add handlers before it is given away (to Link.Start, MainNode.StartWorker or WorkerHost.ConnectAsync).");
        }
    }
}
