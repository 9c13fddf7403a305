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

    /// <summary>Gets a value indicating whether it answers with a stream, which may have no end.</summary>
    public virtual bool IsStream => false;

    /// <summary>Reads a request and starts its handler.</summary>
    /// <param name="body">The request's bytes, valid during the call.</param>
    /// <param name="context">Where it came from.</param>
    /// <param name="items">Takes what comes before the response; null: the caller takes nothing but a response.</param>
    /// <returns>The response's bytes, one MessagePack value; null: the items were all.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the request cannot be read (thrown by the call
    /// itself).</exception>
    public abstract Task<byte[]?> StartAsync(
        ReadOnlyMemory<byte> body, PacketContext context, IItemOutput? items);
}

/// <summary>A handler of requests of one type.</summary>
internal abstract class RequestHandler<TRequest>(PacketType<TRequest> request) : RequestHandler
{
    public override string Name => request.ToString();

    public override string ShortName => request.Name;

    public override Task<byte[]?> StartAsync(
        ReadOnlyMemory<byte> body, PacketContext context, IItemOutput? items)
    {
        TRequest asked = request.Formatter.Read(new ReadOnlySequence<byte>(body));
        return Task.Run(() => RunAsync(asked, context, items), CancellationToken.None);
    }

    /// <summary>Writes a response's bytes.</summary>
    protected static byte[] Bytes<T>(PacketType<T> type, T response)
    {
        var bytes = new ArrayWriter();
        type.Formatter.Write(bytes, response);
        return bytes.Written.ToArray();
    }

    /// <summary>Runs the handler, as <see cref="StartAsync"/>, beside the receive thread.</summary>
    protected abstract Task<byte[]?> RunAsync(TRequest asked, PacketContext context, IItemOutput? items);
}

/// <summary>A request with one response.</summary>
internal sealed class ResponseHandler<TRequest, TResponse>(
    PacketType<TRequest> request,
    PacketType<TResponse> response,
    Func<TRequest, PacketContext, Task<TResponse>> handler) : RequestHandler<TRequest>(request)
{
    protected override async Task<byte[]?> RunAsync(TRequest asked, PacketContext context, IItemOutput? items) =>
        Bytes(response, await handler(asked, context).ConfigureAwait(false));
}

/// <summary>A request with one response, and reports before it.</summary>
internal sealed class ProgressHandler<TRequest, TResponse, TProgress>(
    PacketType<TRequest> request,
    PacketType<TResponse> response,
    PacketType<TProgress> progress,
    Func<TRequest, IProgress<TProgress>, PacketContext, Task<TResponse>> handler) : RequestHandler<TRequest>(request)
{
    protected override async Task<byte[]?> RunAsync(TRequest asked, PacketContext context, IItemOutput? items)
    {
        var reports = new ProgressSender<TProgress>(progress, items, context.CancellationToken);
        TResponse result;
        try
        {
            result = await handler(asked, reports, context).ConfigureAwait(false);
        }
        catch
        {
            await Task.WhenAny(reports.EndAsync()).ConfigureAwait(false);   // its own failure says less than the handler's
            throw;
        }

        await reports.EndAsync().ConfigureAwait(false);
        return Bytes(response, result);
    }
}

/// <summary>A request whose response is a stream.</summary>
internal sealed class ItemsHandler<TRequest, TItem>(
    PacketType<TRequest> request,
    PacketType<TItem> item,
    Func<TRequest, PacketContext, IAsyncEnumerable<TItem>> handler) : RequestHandler<TRequest>(request)
{
    /// <inheritdoc/>
    public override bool IsStream => true;

    protected override async Task<byte[]?> RunAsync(TRequest asked, PacketContext context, IItemOutput? items)
    {
        if (items is null)
        {
            throw new InvalidOperationException($"The response of {Name} is a stream: ask with RequestStreamAsync.");
        }

        CancellationToken stop = context.CancellationToken;
        await foreach (TItem one in handler(asked, context).WithCancellation(stop).ConfigureAwait(false))
        {
            await items.SendAsync(item, one, stop).ConfigureAwait(false);
        }

        return null;
    }
}
