using System;
using System.Buffers;
using System.Text.Json;

namespace Transport.Tool;

/// <summary>The packets of requests, which belong to the links themselves (PROTOCOL.md, "Requests").</summary>
internal static class RequestPackets
{
    private const int Request = 272, Response = 273, Cancel = 274, Item = 275, Credit = 276;

    public static void AddTo(PacketCatalog catalog) => catalog
        .Add(Request, name: null, ReadRequest)
        .Add(Response, name: null, ReadResponse)
        .Add(Cancel, name: null, ReadCancel)
        .Add(Item, name: null, ReadItem)
        .Add(Credit, name: null, ReadCredit);

    private static Action<Utf8JsonWriter> ReadRequest(ReadOnlySequence<byte> body)
    {
        var reader = new PacketReader(body);
        reader.ReadArrayHeader(4);
        long id = reader.ReadInt64(), type = reader.ReadInt64();
        byte[]? inner = ReadBody(ref reader);
        object? ms = reader.TryReadNil() ? null : reader.ReadInt64();
        return json => PacketCatalog.Write(json, ("id", id), ("type", type), ("body", inner), ("ms", ms));
    }

    private static Action<Utf8JsonWriter> ReadResponse(ReadOnlySequence<byte> body)
    {
        var reader = new PacketReader(body);
        reader.ReadArrayHeader(4);
        long id = reader.ReadInt64(), status = reader.ReadInt64();
        byte[]? inner = ReadBody(ref reader);
        string? message = reader.ReadString();
        return json => PacketCatalog.Write(json, ("id", id), ("status", status), ("body", inner), ("message", message));
    }

    private static Action<Utf8JsonWriter> ReadCancel(ReadOnlySequence<byte> body)
    {
        var reader = new PacketReader(body);
        reader.ReadArrayHeader(1);
        long id = reader.ReadInt64();
        return json => PacketCatalog.Write(json, ("id", id));
    }

    private static Action<Utf8JsonWriter> ReadItem(ReadOnlySequence<byte> body)
    {
        var reader = new PacketReader(body);
        reader.ReadArrayHeader(2);
        long id = reader.ReadInt64();
        byte[]? inner = ReadBody(ref reader);
        return json => PacketCatalog.Write(json, ("id", id), ("body", inner));
    }

    private static Action<Utf8JsonWriter> ReadCredit(ReadOnlySequence<byte> body)
    {
        var reader = new PacketReader(body);
        reader.ReadArrayHeader(2);
        long id = reader.ReadInt64(), bytes = reader.ReadInt64();
        return json => PacketCatalog.Write(json, ("id", id), ("bytes", bytes));
    }

    private static byte[]? ReadBody(ref PacketReader reader) => reader.TryReadNil() ? null : reader.ReadBin().ToArray();
}
