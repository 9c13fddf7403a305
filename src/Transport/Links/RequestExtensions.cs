using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Asking the peer of a link: for one answer, for one with reports before it, for a stream.</summary>
/// <remarks>
/// <para>Safe from any thread. Each question ends in an answer, a failure, a cancel, its timeout or the link's end. The peer's handler is
/// that of <see cref="PacketRouter"/>.OnRequest or OnRequestStream.</para>
/// <para>Do not await one of them inside a packet handler of the same link: the answer would wait behind that handler.</para>
/// </remarks>
public static class RequestExtensions
{
    private const DynamicallyAccessedMemberTypes Properties = DynamicallyAccessedMemberTypes.PublicProperties;

    /// <summary>Asks the peer and waits for its answer.</summary>
    /// <typeparam name="TAnswer">The answer.</typeparam>
    /// <param name="link">The link to the peer.</param>
    /// <param name="question">The question; the caller may reuse it at once.</param>
    /// <param name="timeout">How long to wait, reported to the peer; null or <see cref="Timeout.InfiniteTimeSpan"/>: as long as the link
    /// lives. Any other negative time counts as zero.</param>
    /// <param name="lane">The lane of the question and its answer; Normal by default: the question is handled behind what this side sent
    /// before in that lane. An urgent one overtakes that.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer, in the urgent lane, if there is capacity for that.</param>
    /// <returns>The answer.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.RequestFailed"/> (the peer's message),
    /// <see cref="TransportFault.RequestCancelled"/>, <see cref="TransportFault.RequestTimeout"/>,
    /// <see cref="TransportFault.PacketMalformed"/> (the answer cannot be read), or the link's own fault if it ended first.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled.</exception>
    /// <exception cref="ArgumentException">An argument is null, or not a lane for callers.</exception>
    /// <remarks>Do not await it inside a packet handler of the same link: its answer would wait behind that handler.</remarks>
    public static Task<TAnswer> RequestAsync<[DynamicallyAccessedMembers(Properties)] TAnswer>(
        this Link link,
        IRequest<TAnswer> question,
        TimeSpan? timeout = null,
        Lane lane = Lane.Normal,
        CancellationToken cancellationToken = default)
        where TAnswer : IPacket<TAnswer>
    {
        ArgumentGuard.NotNull(link, nameof(link));
        ArrayWriter body = Body(ArgumentGuard.NotNull(question, nameof(question)).PacketType, question);
        return link.NoteAsync(link.RequestsIn(lane).AskAsync(
            question.PacketType, body, PacketTypeOf<TAnswer>.Value, timeout, lane, cancellationToken));
    }

    /// <summary>Asks the peer, takes its reports, and waits for its answer.</summary>
    /// <typeparam name="TAnswer">The answer.</typeparam>
    /// <typeparam name="TProgress">A report.</typeparam>
    /// <inheritdoc cref="RequestAsync{TAnswer}(Link, IRequest{TAnswer}, TimeSpan?, Lane, CancellationToken)"/>
    /// <param name="link">The link to the peer.</param>
    /// <param name="question">The question; the caller may reuse it at once.</param>
    /// <param name="progress">Takes the reports of a handler that makes some (<c>OnRequest</c> with an <see cref="IProgress{T}"/>), one at
    /// a time and before the answer. A report that could not be sent in time is replaced by the next. What it throws ends the
    /// request.</param>
    /// <param name="timeout">How long to wait, reported to the peer; null or <see cref="Timeout.InfiniteTimeSpan"/>: as long as the link
    /// lives. Any other negative time counts as zero.</param>
    /// <param name="lane">The lane of the question and its answer; Normal by default, as for an answer alone.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer, in the urgent lane, if there is capacity for that.</param>
    public static Task<TAnswer> RequestAsync<
        [DynamicallyAccessedMembers(Properties)] TAnswer,
        [DynamicallyAccessedMembers(Properties)] TProgress>(
        this Link link,
        IRequest<TAnswer> question,
        IProgress<TProgress> progress,
        TimeSpan? timeout = null,
        Lane lane = Lane.Normal,
        CancellationToken cancellationToken = default)
        where TAnswer : IPacket<TAnswer>
        where TProgress : IPacket<TProgress>
    {
        ArgumentGuard.NotNull(link, nameof(link));
        ArgumentGuard.NotNull(progress, nameof(progress));
        ArrayWriter body = Body(ArgumentGuard.NotNull(question, nameof(question)).PacketType, question);
        return link.NoteAsync(link.RequestsIn(lane).AskAsync(question.PacketType, body, PacketTypeOf<TAnswer>.Value,
            PacketTypeOf<TProgress>.Value, progress, timeout, lane, cancellationToken));
    }

    /// <summary>Asks the peer for a stream.</summary>
    /// <typeparam name="TItem">One item of the answer.</typeparam>
    /// <inheritdoc cref="RequestAsync{TAnswer}(Link, IRequest{TAnswer}, TimeSpan?, Lane, CancellationToken)"/>
    /// <param name="link">The link to the peer.</param>
    /// <param name="question">The question; the caller may reuse it at once.</param>
    /// <param name="timeout">How long the whole stream may take, reported to the peer; null or <see cref="Timeout.InfiniteTimeSpan"/>: as
    /// long as the link lives.</param>
    /// <param name="lane">The lane of the question and its answer; Normal by default, as for an answer alone.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer, in the urgent lane, if there is capacity for that.</param>
    /// <returns>The items in order. Each enumeration asks once, when it begins; one that ends early cancels the peer's.</returns>
    /// <remarks>
    /// <para>A reader that is slow slows the peer: at most <see cref="LinkOptions.StreamWindowBytes"/> are on their way or wait to be read.
    /// Other packets of the link go on meanwhile.</para>
    /// <para>The enumeration throws what <c>RequestAsync</c> throws, behind the items that arrived before the failure. It is also cancelled
    /// by the token of <c>WithCancellation</c>.</para>
    /// </remarks>
    public static IAsyncEnumerable<TItem> RequestStream<[DynamicallyAccessedMembers(Properties)] TItem>(
        this Link link,
        IStreamRequest<TItem> question,
        TimeSpan? timeout = null,
        Lane lane = Lane.Normal,
        CancellationToken cancellationToken = default)
        where TItem : IPacket<TItem>
    {
        ArgumentGuard.NotNull(link, nameof(link));
        ArrayWriter body = Body(ArgumentGuard.NotNull(question, nameof(question)).PacketType, question);
        return link.RequestsIn(lane).AskEachAsync(
            question.PacketType, body, PacketTypeOf<TItem>.Value, timeout, lane, cancellationToken);
    }

    /// <summary>Asks the peer and waits for its answer; for packets whose formatters are written by hand.</summary>
    /// <typeparam name="TQuestion">The question.</typeparam>
    /// <typeparam name="TAnswer">The answer.</typeparam>
    /// <inheritdoc cref="RequestAsync{TAnswer}(Link, IRequest{TAnswer}, TimeSpan?, Lane, CancellationToken)"/>
    /// <param name="link">The link to the peer.</param>
    /// <param name="questionType">The question's type.</param>
    /// <param name="answerType">The answer's type; only its formatter is used.</param>
    /// <param name="question">The question; the caller may reuse it at once.</param>
    /// <param name="timeout">How long to wait, reported to the peer; null or <see cref="Timeout.InfiniteTimeSpan"/>: as long as the link
    /// lives. Any other negative time counts as zero.</param>
    /// <param name="lane">The lane of the question and its answer; Normal by default, as for an answer alone.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer, in the urgent lane, if there is capacity for that.</param>
    public static Task<TAnswer> RequestAsync<TQuestion, TAnswer>(
        this Link link,
        PacketType<TQuestion> questionType,
        PacketType<TAnswer> answerType,
        TQuestion question,
        TimeSpan? timeout = null,
        Lane lane = Lane.Normal,
        CancellationToken cancellationToken = default)
    {
        ArgumentGuard.NotNull(link, nameof(link));
        ArgumentGuard.NotNull(answerType, nameof(answerType));
        ArrayWriter body = Body(ArgumentGuard.NotNull(questionType, nameof(questionType)), question);
        return link.NoteAsync(link.RequestsIn(lane).AskAsync(questionType, body, answerType, timeout, lane, cancellationToken));
    }

    /// <summary>Asks the peer, takes its reports, and waits for its answer; for packets whose formatters are written by hand.</summary>
    /// <typeparam name="TQuestion">The question.</typeparam>
    /// <typeparam name="TAnswer">The answer.</typeparam>
    /// <typeparam name="TProgress">A report.</typeparam>
    /// <inheritdoc cref="RequestAsync{TAnswer, TProgress}(Link, IRequest{TAnswer}, IProgress{TProgress}, TimeSpan?, Lane,
    /// CancellationToken)"/>
    /// <param name="link">The link to the peer.</param>
    /// <param name="questionType">The question's type.</param>
    /// <param name="answerType">The answer's type; only its formatter is used.</param>
    /// <param name="progressType">The reports' type; only its formatter is used.</param>
    /// <param name="question">The question; the caller may reuse it at once.</param>
    /// <param name="progress">Takes the reports, one at a time and before the answer.</param>
    /// <param name="timeout">How long to wait, reported to the peer; null or <see cref="Timeout.InfiniteTimeSpan"/>: as long as the link
    /// lives. Any other negative time counts as zero.</param>
    /// <param name="lane">The lane of the question and its answer; Normal by default, as for an answer alone.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer, in the urgent lane, if there is capacity for that.</param>
    public static Task<TAnswer> RequestAsync<TQuestion, TAnswer, TProgress>(
        this Link link,
        PacketType<TQuestion> questionType,
        PacketType<TAnswer> answerType,
        PacketType<TProgress> progressType,
        TQuestion question,
        IProgress<TProgress> progress,
        TimeSpan? timeout = null,
        Lane lane = Lane.Normal,
        CancellationToken cancellationToken = default)
    {
        ArgumentGuard.NotNull(link, nameof(link));
        ArgumentGuard.NotNull(answerType, nameof(answerType));
        ArgumentGuard.NotNull(progressType, nameof(progressType));
        ArgumentGuard.NotNull(progress, nameof(progress));
        ArrayWriter body = Body(ArgumentGuard.NotNull(questionType, nameof(questionType)), question);
        return link.NoteAsync(link.RequestsIn(lane).AskAsync(
            questionType, body, answerType, progressType, progress, timeout, lane, cancellationToken));
    }

    /// <summary>Asks the peer for a stream; for packets whose formatters are written by hand.</summary>
    /// <typeparam name="TQuestion">The question.</typeparam>
    /// <typeparam name="TItem">One item of the answer.</typeparam>
    /// <inheritdoc cref="RequestStream{TItem}(Link, IStreamRequest{TItem}, TimeSpan?, Lane, CancellationToken)"/>
    /// <param name="link">The link to the peer.</param>
    /// <param name="questionType">The question's type.</param>
    /// <param name="itemType">The items' type; only its formatter is used.</param>
    /// <param name="question">The question; the caller may reuse it at once.</param>
    /// <param name="timeout">How long the whole stream may take, reported to the peer; null or <see cref="Timeout.InfiniteTimeSpan"/>: as
    /// long as the link lives.</param>
    /// <param name="lane">The lane of the question and its answer; Normal by default, as for an answer alone.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer, in the urgent lane, if there is capacity for that.</param>
    public static IAsyncEnumerable<TItem> RequestStream<TQuestion, TItem>(
        this Link link,
        PacketType<TQuestion> questionType,
        PacketType<TItem> itemType,
        TQuestion question,
        TimeSpan? timeout = null,
        Lane lane = Lane.Normal,
        CancellationToken cancellationToken = default)
    {
        ArgumentGuard.NotNull(link, nameof(link));
        ArgumentGuard.NotNull(itemType, nameof(itemType));
        ArrayWriter body = Body(ArgumentGuard.NotNull(questionType, nameof(questionType)), question);
        return link.RequestsIn(lane).AskEachAsync(questionType, body, itemType, timeout, lane, cancellationToken);
    }

    private static ArrayWriter Body<TQuestion>(PacketType<TQuestion> type, TQuestion question)
    {
        var body = new ArrayWriter();
        type.Formatter.Write(body, ArgumentGuard.NotNull(question, nameof(question)));
        return body;
    }

    private static ArrayWriter Body(PacketType type, object question)
    {
        var body = new ArrayWriter();
        type.WriteBody(body, question);
        return body;
    }
}
