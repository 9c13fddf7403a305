using System;
using System.Buffers;
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
    /// <param name="cancellationToken">Cancelled when nobody waits for the answer any more.</param>
    /// <returns>The answer's bytes: one MessagePack value.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the question cannot be read (thrown by the call
    /// itself).</exception>
    public abstract Task<byte[]> StartAsync(ReadOnlyMemory<byte> body, PacketContext context, CancellationToken cancellationToken);
}

internal sealed class RequestHandler<TRequest, TAnswer>(
    PacketType<TRequest> request,
    PacketType<TAnswer> answer,
    Func<TRequest, PacketContext, CancellationToken, Task<TAnswer>> handler) : RequestHandler
{
    public override string Name => request.ToString();

    public override string ShortName => request.Name;

    public override Task<byte[]> StartAsync(ReadOnlyMemory<byte> body, PacketContext context, CancellationToken cancellationToken)
    {
        TRequest question = request.Formatter.Read(new ReadOnlySequence<byte>(body));
        return Task.Run(() => RunAsync(question, context, cancellationToken), CancellationToken.None);
    }

    private async Task<byte[]> RunAsync(TRequest question, PacketContext context, CancellationToken cancellationToken)
    {
        TAnswer result = await handler(question, context, cancellationToken).ConfigureAwait(false);
        var bytes = new ArrayWriter();
        answer.Formatter.Write(bytes, result);
        return bytes.Written.ToArray();
    }
}
