using System;

namespace Transport;

/// <summary>The bodies of the packets of requests (PROTOCOL.md, "Requests").</summary>
internal static class RequestPackets
{
    public const int Done = 0;
    public const int Failed = 1;
    public const int Cancelled = 2;
    public const int UnknownType = 3;

    /// <summary>What an item costs of its credit beside its bytes: about what keeping it takes.</summary>
    private const int ItemOverhead = 32;

    /// <summary>Returns what an item costs of the credit that its receiver grants.</summary>
    /// <param name="bytes">The bytes of its value.</param>
    public static long CostOfItem(int bytes) => (long)bytes + ItemOverhead;

    /// <summary>Writes out what is requested.</summary>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public static ArrayWriter Body<TRequest>(PacketType<TRequest> requestType, TRequest request, PacketType responseType)
    {
        _ = ArgumentGuard.NotNull(responseType, nameof(responseType));
        var body = new ArrayWriter();
        ArgumentGuard.NotNull(requestType, nameof(requestType)).Formatter.Write(body, ArgumentGuard.NotNull(request, nameof(request)));
        return body;
    }

    /// <inheritdoc cref="Body{TRequest}(PacketType{TRequest}, TRequest, PacketType)"/>
    public static ArrayWriter Body<TRequest>(
        PacketType<TRequest> requestType, TRequest request, PacketType responseType, PacketType progressType, object progress)
    {
        _ = ArgumentGuard.NotNull(progressType, nameof(progressType));
        _ = ArgumentGuard.NotNull(progress, nameof(progress));
        return Body(requestType, request, responseType);
    }

    /// <summary>Writes Request.</summary>
    /// <param name="id">Its number.</param>
    /// <param name="type">The request's type.</param>
    /// <param name="body">The request.</param>
    /// <param name="deadline">When the caller gives up; null: never.</param>
    /// <param name="traceParent">The trace in which it is asked; null: none.</param>
    /// <param name="credit">What items may come before the response, in bytes; null: none.</param>
    public static byte[] Request(
        long id, ushort type, ReadOnlySpan<byte> body, TimeSpan? deadline, string? traceParent = null, int? credit = null)
    {
        var output = new ArrayWriter(body.Length + 40 + (traceParent?.Length ?? 0));
        var writer = new PacketWriter(output);
        writer.WriteArrayHeader(credit is not null ? 6 : traceParent is not null ? 5 : 4);
        writer.WriteInt(id);
        writer.WriteInt(type);
        writer.WriteBin(body);
        if (deadline is { } time)
        {
            writer.WriteInt((long)Math.Ceiling(time.TotalMilliseconds));
        }
        else
        {
            writer.WriteNil();
        }

        if (traceParent is not null || credit is not null)
        {
            writer.WriteString(traceParent);
        }

        if (credit is { } bytes)
        {
            writer.WriteInt(bytes);
        }

        writer.Flush();
        return output.Written.ToArray();
    }

    public static byte[] Response(long id, int status, byte[]? body, string? message)
    {
        var output = new ArrayWriter((body?.Length ?? 0) + 64);
        var writer = new PacketWriter(output);
        writer.WriteArrayHeader(4);
        writer.WriteInt(id);
        writer.WriteInt(status);
        if (body is null)
        {
            writer.WriteNil();
        }
        else
        {
            writer.WriteBin(body);
        }

        writer.WriteString(message);
        writer.Flush();
        return output.Written.ToArray();
    }

    public static byte[] Cancel(long id) => Numbers(id);

    /// <summary>Writes Credit.</summary>
    /// <param name="id">The request's number.</param>
    /// <param name="bytes">What is granted on top of what was.</param>
    public static byte[] Credit(long id, long bytes) => Numbers(id, bytes);

    /// <summary>Writes what stands before the value of an Item.</summary>
    public static void BeginItem(ArrayWriter output, long id)
    {
        var writer = new PacketWriter(output);
        writer.WriteArrayHeader(2);
        writer.WriteInt(id);
        writer.Flush();
    }

    private static byte[] Numbers(params ReadOnlySpan<long> numbers)
    {
        var output = new ArrayWriter(24);
        var writer = new PacketWriter(output);
        writer.WriteArrayHeader(numbers.Length);
        foreach (long number in numbers)
        {
            writer.WriteInt(number);
        }

        writer.Flush();
        return output.Written.ToArray();
    }
}
