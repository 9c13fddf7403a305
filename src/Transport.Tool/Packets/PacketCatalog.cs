using System;
using System.Buffers;
using System.Collections.Generic;
using System.Globalization;
using System.Text.Json;
using Transport.Logging;
using Transport.MSBuild;

namespace Transport.Tool;

/// <summary>Packet types that a program knows: their names, and their bodies as JSON. Fill it first; from then on it is safe from any
/// thread.</summary>
/// <remarks>A new one knows the packets of requests, of Transport.Logging and of Transport.MSBuild. Fields have the names of PROTOCOL.md
/// and docs/reference/build-events.md; levels, streams and ids are the numbers there.</remarks>
internal sealed class PacketCatalog
{
    private readonly Dictionary<int, Entry> _entries = [];

    /// <summary>Initializes a new instance of the <see cref="PacketCatalog"/> class.</summary>
    public PacketCatalog()
    {
        RequestPackets.AddTo(this);
        LogPacketsJson.AddTo(this);
        Add(BuildEvent.PacketType, BuildEventJson.Write);
    }

    /// <summary>Adds a type, or replaces what is known of one.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="type">The type.</param>
    /// <param name="write">Writes a packet as one value, mostly an object: see <see cref="Write"/>.</param>
    /// <returns>This catalog.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public PacketCatalog Add<T>(PacketType<T> type, Action<Utf8JsonWriter, T> write)
    {
        ArgumentNullException.ThrowIfNull(type);
        ArgumentNullException.ThrowIfNull(write);
        return Add(type.Id, type.ToString(), body =>
        {
            T packet = type.Formatter.Read(body);
            return json => write(json, packet);
        });
    }

    /// <summary>Returns the name of a type with its number.</summary>
    /// <param name="type">The number.</param>
    /// <returns>As <c>LogEvent (256)</c>; of a type that is not known <c>type 1030</c>.</returns>
    public string NameOf(int type) => _entries.TryGetValue(type, out Entry known) && known.Name is { } name ? name
        : string.Create(CultureInfo.InvariantCulture, $"type {type}");

    /// <summary>Writes a packet's body as one value: with its fields' names if its type is known, else, or if it has another shape than its
    /// type's, as the values that it has; if it is none of MessagePack, as an object with its base64.</summary>
    /// <param name="json">The writer.</param>
    /// <param name="type">The type's number.</param>
    /// <param name="body">The body.</param>
    /// <exception cref="ArgumentNullException"><paramref name="json"/> is null.</exception>
    public void WriteBody(Utf8JsonWriter json, int type, ReadOnlyMemory<byte> body)
    {
        ArgumentNullException.ThrowIfNull(json);

        // Read as a whole before anything is written.
        Action<Utf8JsonWriter>? write = _entries.TryGetValue(type, out Entry known)
            ? TryRead(() => known.Read(new ReadOnlySequence<byte>(body))) : null;
        write ??= TryRead(() => UnknownBody.Read(body)) ?? (bytes => BuildEventJson.WriteValue(bytes, body.ToArray()));
        write(json);
    }

    /// <summary>Writes an object with fields of the values that <see cref="BuildEvent.Fields"/> may have, or an
    /// <see cref="int"/>.</summary>
    /// <param name="json">The writer.</param>
    /// <param name="fields">Their names and values, in their order.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException">A value is of another type.</exception>
    public static void Write(Utf8JsonWriter json, params (string Name, object? Value)[] fields)
    {
        ArgumentNullException.ThrowIfNull(json);
        ArgumentNullException.ThrowIfNull(fields);
        json.WriteStartObject();
        foreach ((string name, object? value) in fields)
        {
            json.WritePropertyName(name);
            BuildEventJson.WriteValue(json, value is int number ? (long)number : value);
        }

        json.WriteEndObject();
    }

    /// <summary>Returns a time as JSON has it here: UTC, to 100 ns.</summary>
    internal static string Time(DateTimeOffset time) =>
        time.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.fffffff'Z'", CultureInfo.InvariantCulture);

    /// <param name="type">The number.</param>
    /// <param name="name">The name with the number; null: shown by its number.</param>
    /// <param name="read">Reads a body, and returns what writes it.</param>
    internal PacketCatalog Add(int type, string? name, Func<ReadOnlySequence<byte>, Action<Utf8JsonWriter>> read)
    {
        _entries[type] = new Entry(name, read);
        return this;
    }

    /// <returns>What writes it, or null if it has another shape.</returns>
    private static Action<Utf8JsonWriter>? TryRead(Func<Action<Utf8JsonWriter>> read)
    {
        try
        {
            return read();
        }
        catch (TransportException)
        {
            return null;
        }
    }

    private readonly record struct Entry(string? Name, Func<ReadOnlySequence<byte>, Action<Utf8JsonWriter>> Read);
}
