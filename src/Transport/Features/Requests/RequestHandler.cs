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

    /// <summary>Reads a question and starts its handler.</summary>
    /// <param name="body">The question's bytes, valid during the call.</param>
    /// <param name="cancellation">Cancelled when nobody waits for the answer any more.</param>
    /// <returns>The answer's bytes: one MessagePack value.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the question cannot be read (thrown by the call itself).</exception>
    public abstract Task<byte[]> StartAsync(ReadOnlyMemory<byte> body, CancellationToken cancellation);
}

internal sealed class RequestHandler<TRequest, TAnswer>(
    PacketType<TRequest> request,
    PacketType<TAnswer> answer,
    Func<TRequest, CancellationToken, Task<TAnswer>> handler) : RequestHandler
{
    public override string Name => request.ToString();

    public override Task<byte[]> StartAsync(ReadOnlyMemory<byte> body, CancellationToken cancellation)
    {
        TRequest question = request.Formatter.Read(new ReadOnlySequence<byte>(body));
        return Task.Run(() => RunAsync(question, cancellation), CancellationToken.None);
    }

    private async Task<byte[]> RunAsync(TRequest question, CancellationToken cancellation)
    {
        TAnswer result = await handler(question, cancellation).ConfigureAwait(false);
        var bytes = new ArrayWriter();
        answer.Formatter.Write(bytes, result);
        return bytes.Written.ToArray();
    }
}
