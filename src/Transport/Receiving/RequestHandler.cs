using System;
using System.Buffers;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>What a router knows of one kind of request.</summary>
internal abstract class RequestHandler
{
    /// <summary>Gets the request's name for people.</summary>
    public abstract string Name { get; }

    /// <summary>Gets the request's name without its number.</summary>
    public abstract string ShortName { get; }

    /// <summary>Reads a question and starts its handler.</summary>
    /// <param name="body">The question's bytes, valid during the call.</param>
    /// <param name="context">Where it came from.</param>
    /// <param name="items">Takes what comes before the answer; null: the asker takes nothing but an answer.</param>
    /// <param name="cancellationToken">Cancelled when nobody waits for the answer any more.</param>
    /// <returns>The answer's bytes, one MessagePack value; null: the items were all.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the question cannot be read (thrown by the call
    /// itself).</exception>
    public abstract Task<byte[]?> StartAsync(
        ReadOnlyMemory<byte> body, PacketContext context, IItemOutput? items, CancellationToken cancellationToken);
}

/// <summary>A handler of requests of one type.</summary>
internal abstract class RequestHandler<TRequest>(PacketType<TRequest> request) : RequestHandler
{
    public override string Name => request.ToString();

    public override string ShortName => request.Name;

    public override Task<byte[]?> StartAsync(
        ReadOnlyMemory<byte> body, PacketContext context, IItemOutput? items, CancellationToken cancellationToken)
    {
        TRequest question = request.Formatter.Read(new ReadOnlySequence<byte>(body));
        return Task.Run(() => RunAsync(question, context, items, cancellationToken), CancellationToken.None);
    }

    /// <summary>Writes an answer's bytes.</summary>
    protected static byte[] Bytes<T>(PacketType<T> type, T answer)
    {
        var bytes = new ArrayWriter();
        type.Formatter.Write(bytes, answer);
        return bytes.Written.ToArray();
    }

    /// <summary>Runs the handler, as <see cref="StartAsync"/>, beside the receive thread.</summary>
    protected abstract Task<byte[]?> RunAsync(
        TRequest question, PacketContext context, IItemOutput? items, CancellationToken cancellationToken);
}

/// <summary>A request with one answer.</summary>
internal sealed class AnswerHandler<TRequest, TAnswer>(
    PacketType<TRequest> request,
    PacketType<TAnswer> answer,
    Func<TRequest, PacketContext, CancellationToken, Task<TAnswer>> handler) : RequestHandler<TRequest>(request)
{
    protected override async Task<byte[]?> RunAsync(
        TRequest question, PacketContext context, IItemOutput? items, CancellationToken cancellationToken) =>
        Bytes(answer, await handler(question, context, cancellationToken).ConfigureAwait(false));
}

/// <summary>A request with one answer, and reports before it.</summary>
internal sealed class ProgressHandler<TRequest, TAnswer, TProgress>(
    PacketType<TRequest> request,
    PacketType<TAnswer> answer,
    PacketType<TProgress> progress,
    Func<TRequest, IProgress<TProgress>, PacketContext, CancellationToken, Task<TAnswer>> handler) : RequestHandler<TRequest>(request)
{
    protected override async Task<byte[]?> RunAsync(
        TRequest question, PacketContext context, IItemOutput? items, CancellationToken cancellationToken)
    {
        var reports = new ProgressSender<TProgress>(progress, items, cancellationToken);
        TAnswer result;
        try
        {
            result = await handler(question, reports, context, cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            await Task.WhenAny(reports.EndAsync()).ConfigureAwait(false);   // its own failure says less than the handler's
            throw;
        }

        await reports.EndAsync().ConfigureAwait(false);
        return Bytes(answer, result);
    }
}

/// <summary>A request whose answer is a stream.</summary>
internal sealed class StreamHandler<TRequest, TItem>(
    PacketType<TRequest> request,
    PacketType<TItem> item,
    Func<TRequest, PacketContext, CancellationToken, IAsyncEnumerable<TItem>> handler) : RequestHandler<TRequest>(request)
{
    protected override async Task<byte[]?> RunAsync(
        TRequest question, PacketContext context, IItemOutput? items, CancellationToken cancellationToken)
    {
        if (items is null)
        {
            throw new InvalidOperationException($"The answer of {Name} is a stream: ask with RequestStream.");
        }

        IAsyncEnumerable<TItem> answer = handler(question, context, cancellationToken);
        await foreach (TItem one in answer.WithCancellation(cancellationToken).ConfigureAwait(false))
        {
            await items.SendAsync(item, one, cancellationToken).ConfigureAwait(false);
        }

        return null;
    }
}
