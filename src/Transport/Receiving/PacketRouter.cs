using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Which handler takes which packet. Filled first, then given to <c>Link.Start</c>, which freezes it. The same router may serve
/// several links.</summary>
/// <remarks>
/// <para>Handlers of one link run one at a time, on the link's receive thread, in the order of arrival; an asynchronous one is done before
/// the next begins and before its packet counts for Ack. So a handler that takes long holds up its own link, and one that waits for a
/// packet of its own link waits forever. Handlers of requests are the exception: they run beside the thread.</para>
/// <para>
/// A handler that throws ends its link with <see cref="TransportFault.HandlerFailed"/>, never the process; with
/// <c>LinkOptions.HandlerFailure</c> Report it is reported (<see cref="HandlerFailed"/>) and the link goes on.
/// </para>
/// <para>A packet without a handler is counted by type (<c>LinkCounters.UnknownByType</c>) and given, as bytes, to the handler of
/// <see cref="OnUnknown(Action{RawPacket})"/>.</para>
/// </remarks>
public sealed class PacketRouter
{
    private const DynamicallyAccessedMemberTypes Properties = DynamicallyAccessedMemberTypes.PublicProperties;

    private readonly Dictionary<int, PacketHandler> _handlers = [];
    private readonly Dictionary<int, RequestHandler> _requests = [];

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

    internal PacketHandler? Unknown { get; private set; }

    internal IPacketStore? Store { get; private set; }

    /// <summary>Handles a packet.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="handler">Called with each packet, which it owns.</param>
    /// <returns>This router.</returns>
    /// <exception cref="ArgumentException">The type has a handler already.</exception>
    /// <exception cref="InvalidOperationException">The router is frozen.</exception>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public PacketRouter On<[DynamicallyAccessedMembers(Properties)] T>(Action<T> handler)
        where T : IPacket<T> => On(PacketTypeOf<T>.Value, handler);

    /// <inheritdoc cref="On{T}(Action{T})"/>
    /// <param name="handler">Called with each packet, which it owns, and where the packet came from.</param>
    public PacketRouter On<[DynamicallyAccessedMembers(Properties)] T>(Action<T, PacketContext> handler)
        where T : IPacket<T> => On(PacketTypeOf<T>.Value, handler);

    /// <summary>Handles a packet asynchronously; the link's next packet waits until the task has completed.</summary>
    /// <inheritdoc cref="On{T}(Action{T})"/>
    [OverloadResolutionPriority(1)]
    public PacketRouter On<[DynamicallyAccessedMembers(Properties)] T>(Func<T, Task> handler)
        where T : IPacket<T> => On(PacketTypeOf<T>.Value, handler);

    /// <inheritdoc cref="On{T}(Func{T, Task})"/>
    /// <param name="handler">Called with each packet, which it owns, and where the packet came from.</param>
    [OverloadResolutionPriority(1)]
    public PacketRouter On<[DynamicallyAccessedMembers(Properties)] T>(Func<T, PacketContext, Task> handler)
        where T : IPacket<T> => On(PacketTypeOf<T>.Value, handler);

    /// <inheritdoc cref="On{T}(Func{T, Task})"/>
    public PacketRouter On<[DynamicallyAccessedMembers(Properties)] T>(Func<T, ValueTask> handler)
        where T : IPacket<T> => On(PacketTypeOf<T>.Value, handler);

    /// <inheritdoc cref="On{T}(Func{T, PacketContext, Task})"/>
    public PacketRouter On<[DynamicallyAccessedMembers(Properties)] T>(Func<T, PacketContext, ValueTask> handler)
        where T : IPacket<T> => On(PacketTypeOf<T>.Value, handler);

    /// <summary>Handles a packet whose formatter is written by hand.</summary>
    /// <inheritdoc cref="On{T}(Action{T})"/>
    /// <param name="type">The packet's type.</param>
    /// <param name="handler">Called with each packet, which it owns.</param>
    public PacketRouter On<T>(PacketType<T> type, Action<T> handler)
    {
        ArgumentGuard.NotNull(handler, nameof(handler));
        return Add(type, (packet, _) => handler(packet), null);
    }

    /// <inheritdoc cref="On{T}(PacketType{T}, Action{T})"/>
    /// <param name="type">The packet's type.</param>
    /// <param name="handler">Called with each packet, which it owns, and where the packet came from.</param>
    public PacketRouter On<T>(PacketType<T> type, Action<T, PacketContext> handler) =>
        Add(type, ArgumentGuard.NotNull(handler, nameof(handler)), null);

    /// <summary>Handles a packet whose formatter is written by hand, asynchronously; the link's next packet waits until the task has
    /// completed.</summary>
    /// <inheritdoc cref="On{T}(PacketType{T}, Action{T})"/>
    [OverloadResolutionPriority(1)]
    public PacketRouter On<T>(PacketType<T> type, Func<T, Task> handler)
    {
        ArgumentGuard.NotNull(handler, nameof(handler));
        return Add(type, null, (packet, _) => new ValueTask(handler(packet)));
    }

    /// <inheritdoc cref="On{T}(PacketType{T}, Func{T, Task})"/>
    /// <param name="type">The packet's type.</param>
    /// <param name="handler">Called with each packet, which it owns, and where the packet came from.</param>
    [OverloadResolutionPriority(1)]
    public PacketRouter On<T>(PacketType<T> type, Func<T, PacketContext, Task> handler)
    {
        ArgumentGuard.NotNull(handler, nameof(handler));
        return Add(type, null, (packet, context) => new ValueTask(handler(packet, context)));
    }

    /// <inheritdoc cref="On{T}(PacketType{T}, Func{T, Task})"/>
    public PacketRouter On<T>(PacketType<T> type, Func<T, ValueTask> handler)
    {
        ArgumentGuard.NotNull(handler, nameof(handler));
        return Add(type, null, (packet, _) => handler(packet));
    }

    /// <inheritdoc cref="On{T}(PacketType{T}, Func{T, PacketContext, Task})"/>
    public PacketRouter On<T>(PacketType<T> type, Func<T, PacketContext, ValueTask> handler) =>
        Add(type, null, ArgumentGuard.NotNull(handler, nameof(handler)));

    /// <summary>Handles a packet as bytes, without reading it.</summary>
    /// <param name="type">The packet type, 256 to 65535.</param>
    /// <param name="handler">Called with each packet; the bytes are on loan until it returns.</param>
    /// <returns>This router.</returns>
    /// <exception cref="ArgumentException">The type has a handler already, or is not for callers.</exception>
    /// <exception cref="InvalidOperationException">The router is frozen.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="handler"/> is null.</exception>
    public PacketRouter OnRaw(ushort type, Action<RawPacket> handler) =>
        Add(type, $"type {type}", new RawHandler($"type {type}", ArgumentGuard.NotNull(handler, nameof(handler)), null));

    /// <summary>Handles a packet as bytes, asynchronously.</summary>
    /// <inheritdoc cref="OnRaw(ushort, Action{RawPacket})"/>
    /// <param name="type">The packet type, 256 to 65535.</param>
    /// <param name="handler">Called with each packet; the bytes are on loan until its task has completed.</param>
    [OverloadResolutionPriority(1)]
    public PacketRouter OnRaw(ushort type, Func<RawPacket, Task> handler)
    {
        ArgumentGuard.NotNull(handler, nameof(handler));
        return OnRaw(type, packet => new ValueTask(handler(packet)));
    }

    /// <inheritdoc cref="OnRaw(ushort, Func{RawPacket, Task})"/>
    public PacketRouter OnRaw(ushort type, Func<RawPacket, ValueTask> handler) =>
        Add(type, $"type {type}", new RawHandler($"type {type}", null, ArgumentGuard.NotNull(handler, nameof(handler))));

    /// <summary>Handles a packet whose body is one bin, as <c>SendStreamAsync</c> sends it, as a stream. Nothing has its size: it stands in
    /// pieces of at most 256 KiB, as it arrived; only a store (<see cref="UseStore"/>) needs it in one block.</summary>
    /// <param name="type">The packet type, 256 to 65535.</param>
    /// <param name="handler">Called with each packet's bytes, once all of them have arrived, and its source. The stream can seek, and is
    /// disposed when the task has completed; the link's next packet waits until then.</param>
    /// <returns>This router.</returns>
    /// <exception cref="ArgumentException">The type has a handler already, or is not for callers.</exception>
    /// <exception cref="InvalidOperationException">The router is frozen.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="handler"/> is null.</exception>
    /// <remarks>A body that is another value ends the link with <see cref="TransportFault.PacketMalformed"/>.</remarks>
    public PacketRouter OnStream(ushort type, Func<Stream, PacketContext, Task> handler) =>
        Add(type, $"type {type}", new StreamHandler(type, ArgumentGuard.NotNull(handler, nameof(handler))));

    /// <summary>Handles every packet that has no handler, as bytes: to forward it, to write it to a journal, to show it.</summary>
    /// <param name="handler">Called with each packet; the bytes are on loan until it returns.</param>
    /// <returns>This router.</returns>
    /// <exception cref="InvalidOperationException">The router is frozen.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="handler"/> is null.</exception>
    public PacketRouter OnUnknown(Action<RawPacket> handler) =>
        SetUnknown(new RawHandler("of an unknown type", ArgumentGuard.NotNull(handler, nameof(handler)), null));

    /// <summary>Handles every packet that has no handler, as bytes, asynchronously.</summary>
    /// <inheritdoc cref="OnUnknown(Action{RawPacket})"/>
    /// <param name="handler">Called with each packet; the bytes are on loan until its task has completed.</param>
    [OverloadResolutionPriority(1)]
    public PacketRouter OnUnknown(Func<RawPacket, Task> handler)
    {
        ArgumentGuard.NotNull(handler, nameof(handler));
        return OnUnknown(packet => new ValueTask(handler(packet)));
    }

    /// <inheritdoc cref="OnUnknown(Func{RawPacket, Task})"/>
    public PacketRouter OnUnknown(Func<RawPacket, ValueTask> handler) =>
        SetUnknown(new RawHandler("of an unknown type", null, ArgumentGuard.NotNull(handler, nameof(handler))));

    /// <summary>Answers a request. The handler runs beside the receive pump, at most <c>LinkOptions.MaxRequests</c> at once.</summary>
    /// <typeparam name="TQuestion">The question.</typeparam>
    /// <typeparam name="TAnswer">The answer.</typeparam>
    /// <param name="handler">Called with each question, where it came from, and a token that is cancelled when the asker cancels or gives
    /// up, or the link ends. An exception becomes a failure at the asker; its message travels, its stack does not.</param>
    /// <returns>This router.</returns>
    /// <exception cref="ArgumentException">The request has a handler already.</exception>
    /// <exception cref="InvalidOperationException">The router is frozen.</exception>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public PacketRouter OnRequest<
        [DynamicallyAccessedMembers(Properties)] TQuestion,
        [DynamicallyAccessedMembers(Properties)] TAnswer>(
        Func<TQuestion, PacketContext, CancellationToken, Task<TAnswer>> handler)
        where TQuestion : IPacket<TQuestion>, IRequest<TAnswer>
        where TAnswer : IPacket<TAnswer> => OnRequest(PacketTypeOf<TQuestion>.Value, PacketTypeOf<TAnswer>.Value, handler);

    /// <summary>Answers a request; for a handler that needs neither its context nor its token.</summary>
    /// <inheritdoc cref="OnRequest{TQuestion, TAnswer}(Func{TQuestion, PacketContext, CancellationToken, Task{TAnswer}})"/>
    /// <param name="handler">Called with each question. An exception becomes a failure at the asker.</param>
    [OverloadResolutionPriority(1)]
    public PacketRouter OnRequest<
        [DynamicallyAccessedMembers(Properties)] TQuestion,
        [DynamicallyAccessedMembers(Properties)] TAnswer>(
        Func<TQuestion, Task<TAnswer>> handler)
        where TQuestion : IPacket<TQuestion>, IRequest<TAnswer>
        where TAnswer : IPacket<TAnswer> => OnRequest(PacketTypeOf<TQuestion>.Value, PacketTypeOf<TAnswer>.Value, handler);

    /// <inheritdoc cref="OnRequest{TQuestion, TAnswer}(Func{TQuestion, Task{TAnswer}})"/>
    public PacketRouter OnRequest<
        [DynamicallyAccessedMembers(Properties)] TQuestion,
        [DynamicallyAccessedMembers(Properties)] TAnswer>(
        Func<TQuestion, TAnswer> handler)
        where TQuestion : IPacket<TQuestion>, IRequest<TAnswer>
        where TAnswer : IPacket<TAnswer> => OnRequest(PacketTypeOf<TQuestion>.Value, PacketTypeOf<TAnswer>.Value, handler);

    /// <summary>Answers a request of packets whose formatters are written by hand; for a handler that needs neither its context nor its
    /// token.</summary>
    /// <inheritdoc cref="OnRequest{TQuestion, TAnswer}(Func{TQuestion, PacketContext, CancellationToken, Task{TAnswer}})"/>
    /// <param name="question">The question's type.</param>
    /// <param name="answer">The answer's type; only its formatter is used.</param>
    /// <param name="handler">Called with each question.</param>
    [OverloadResolutionPriority(1)]
    public PacketRouter OnRequest<TQuestion, TAnswer>(
        PacketType<TQuestion> question, PacketType<TAnswer> answer, Func<TQuestion, Task<TAnswer>> handler)
    {
        ArgumentGuard.NotNull(handler, nameof(handler));
        return OnRequest(question, answer, (asked, _, _) => handler(asked));
    }

    /// <inheritdoc cref="OnRequest{TQuestion, TAnswer}(PacketType{TQuestion}, PacketType{TAnswer}, Func{TQuestion, Task{TAnswer}})"/>
    public PacketRouter OnRequest<TQuestion, TAnswer>(
        PacketType<TQuestion> question, PacketType<TAnswer> answer, Func<TQuestion, TAnswer> handler)
    {
        ArgumentGuard.NotNull(handler, nameof(handler));
        return OnRequest(question, answer, (asked, _, _) => Task.FromResult(handler(asked)));
    }

    /// <summary>Answers a request of packets whose formatters are written by hand.</summary>
    /// <inheritdoc cref="OnRequest{TQuestion, TAnswer}(Func{TQuestion, PacketContext, CancellationToken, Task{TAnswer}})"/>
    /// <param name="question">The question's type.</param>
    /// <param name="answer">The answer's type; only its formatter is used.</param>
    /// <param name="handler">Called with each question, as above.</param>
    public PacketRouter OnRequest<TQuestion, TAnswer>(
        PacketType<TQuestion> question,
        PacketType<TAnswer> answer,
        Func<TQuestion, PacketContext, CancellationToken, Task<TAnswer>> handler)
    {
        ArgumentGuard.NotNull(answer, nameof(answer));
        ArgumentGuard.NotNull(handler, nameof(handler));
        return Add(question, new AnswerHandler<TQuestion, TAnswer>(ArgumentGuard.NotNull(question, nameof(question)), answer, handler));
    }

    /// <summary>Answers a request, with reports of how far the answer is before it.</summary>
    /// <typeparam name="TQuestion">The question.</typeparam>
    /// <typeparam name="TAnswer">The answer.</typeparam>
    /// <typeparam name="TProgress">A report.</typeparam>
    /// <inheritdoc cref="OnRequest{TQuestion, TAnswer}(Func{TQuestion, PacketContext, CancellationToken, Task{TAnswer}})"/>
    /// <param name="handler">Called with each question, what takes the reports, where the question came from, and a token. A report never
    /// waits: one that cannot be sent yet is replaced by the next, and the last is sent before the answer. An asker that wants none is sent
    /// none.</param>
    public PacketRouter OnRequest<
        [DynamicallyAccessedMembers(Properties)] TQuestion,
        [DynamicallyAccessedMembers(Properties)] TAnswer,
        [DynamicallyAccessedMembers(Properties)] TProgress>(
        Func<TQuestion, IProgress<TProgress>, PacketContext, CancellationToken, Task<TAnswer>> handler)
        where TQuestion : IPacket<TQuestion>, IRequest<TAnswer>
        where TAnswer : IPacket<TAnswer>
        where TProgress : IPacket<TProgress> =>
        OnRequest(PacketTypeOf<TQuestion>.Value, PacketTypeOf<TAnswer>.Value, PacketTypeOf<TProgress>.Value, handler);

    /// <summary>Answers a request, with reports before the answer, of packets whose formatters are written by hand.</summary>
    /// <inheritdoc cref="OnRequest{TQuestion, TAnswer, TProgress}(Func{TQuestion, IProgress{TProgress}, PacketContext, CancellationToken,
    /// Task{TAnswer}})"/>
    /// <param name="question">The question's type.</param>
    /// <param name="answer">The answer's type; only its formatter is used.</param>
    /// <param name="progress">The reports' type; only its formatter is used.</param>
    /// <param name="handler">Called with each question, as above.</param>
    public PacketRouter OnRequest<TQuestion, TAnswer, TProgress>(
        PacketType<TQuestion> question,
        PacketType<TAnswer> answer,
        PacketType<TProgress> progress,
        Func<TQuestion, IProgress<TProgress>, PacketContext, CancellationToken, Task<TAnswer>> handler)
    {
        ArgumentGuard.NotNull(answer, nameof(answer));
        ArgumentGuard.NotNull(progress, nameof(progress));
        ArgumentGuard.NotNull(handler, nameof(handler));
        return Add(question, new ProgressHandler<TQuestion, TAnswer, TProgress>(
            ArgumentGuard.NotNull(question, nameof(question)), answer, progress, handler));
    }

    /// <summary>Answers a request with a stream.</summary>
    /// <typeparam name="TQuestion">The question.</typeparam>
    /// <typeparam name="TItem">One item of the answer.</typeparam>
    /// <param name="handler">Called with each question, where it came from, and a token that is cancelled when the reader stops, cancels or
    /// gives up, or the link ends. The items are taken one at a time, as the reader reads; a write that waits for the reader is cancelled
    /// by the token too. An exception becomes a failure at the reader, behind the items before it.</param>
    /// <returns>This router.</returns>
    /// <exception cref="ArgumentException">The request has a handler already.</exception>
    /// <exception cref="InvalidOperationException">The router is frozen.</exception>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public PacketRouter OnRequestStream<
        [DynamicallyAccessedMembers(Properties)] TQuestion,
        [DynamicallyAccessedMembers(Properties)] TItem>(
        Func<TQuestion, PacketContext, CancellationToken, IAsyncEnumerable<TItem>> handler)
        where TQuestion : IPacket<TQuestion>, IStreamRequest<TItem>
        where TItem : IPacket<TItem> => OnRequestStream(PacketTypeOf<TQuestion>.Value, PacketTypeOf<TItem>.Value, handler);

    /// <summary>Answers a request with a stream, of packets whose formatters are written by hand.</summary>
    /// <inheritdoc cref="OnRequestStream{TQuestion, TItem}(Func{TQuestion, PacketContext, CancellationToken, IAsyncEnumerable{TItem}})"/>
    /// <param name="question">The question's type.</param>
    /// <param name="item">The items' type; only its formatter is used.</param>
    /// <param name="handler">Called with each question, as above.</param>
    public PacketRouter OnRequestStream<TQuestion, TItem>(
        PacketType<TQuestion> question,
        PacketType<TItem> item,
        Func<TQuestion, PacketContext, CancellationToken, IAsyncEnumerable<TItem>> handler)
    {
        ArgumentGuard.NotNull(item, nameof(item));
        ArgumentGuard.NotNull(handler, nameof(handler));
        return Add(question, new StreamHandler<TQuestion, TItem>(ArgumentGuard.NotNull(question, nameof(question)), item, handler));
    }

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

    private PacketRouter Add<T>(PacketType<T> type, Action<T, PacketContext>? handler, Func<T, PacketContext, ValueTask>? asyncHandler) =>
        Add(ArgumentGuard.NotNull(type, nameof(type)).Id, type.ToString(), new TypedHandler<T>(type, handler, asyncHandler));

    private PacketRouter Add(PacketType question, RequestHandler handler)
    {
        ThrowIfFrozen();
        if (_requests.ContainsKey(question.Id))
        {
            throw new ArgumentException($"Request {question} has a handler already: a router takes one for each type.", nameof(question));
        }

        _requests.Add(question.Id, handler);
        return this;
    }

    private PacketRouter SetUnknown(RawHandler handler)
    {
        ThrowIfFrozen();
        Unknown = handler;
        return this;
    }

    private void ThrowIfFrozen()
    {
        if (IsFrozen)
        {
            throw new InvalidOperationException(
                "The router is frozen, because a link uses it: add handlers before it is given away (to Link.Start, "
                    + "MainNode.StartWorker or "
                + "WorkerHost.ConnectAsync).");
        }
    }
}
