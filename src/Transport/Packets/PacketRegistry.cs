using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Transport;

/// <summary>The packets that a node knows, by number and by .NET type.</summary>
/// <remarks>Fill it on one thread; a link freezes it when it opens. Frozen, it never changes and may be read from any thread.</remarks>
public sealed class PacketRegistry
{
    private readonly Dictionary<int, PacketType> _byId = [];
    private readonly Dictionary<Type, PacketType> _byClrType = [];

    /// <summary>Gets a value indicating whether the registry takes no more packets.</summary>
    public bool IsFrozen { get; private set; }

    /// <summary>Gets how many packets are known.</summary>
    public int Count => _byId.Count;

    /// <summary>Adds a packet.</summary>
    /// <param name="type">The packet; its number and its .NET type must be new.</param>
    /// <returns>This registry, so that calls can be chained.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadOptions"/>: the number or the .NET type is taken; the message names both packets.</exception>
    /// <exception cref="InvalidOperationException">The registry is frozen.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    public PacketRegistry Add(PacketType type)
    {
        if (type is null)
        {
            throw new ArgumentNullException(nameof(type));
        }

        if (IsFrozen)
        {
            throw new InvalidOperationException($"Packet {type} comes too late: the registry is frozen, because a link uses it. Add packets before the first link opens.");
        }

        if (_byId.TryGetValue(type.Id, out PacketType? other))
        {
            throw new TransportException(TransportFault.BadOptions, $"Packet {type}: the number is taken by {other}. Give one of them another number.");
        }

        if (_byClrType.TryGetValue(type.ClrType, out other))
        {
            throw new TransportException(TransportFault.BadOptions, $"Packet {type}: its type {type.ClrType} is taken by {other}. Each packet needs a .NET type of its own.");
        }

        _byId.Add(type.Id, type);
        _byClrType.Add(type.ClrType, type);
        return this;
    }

    /// <summary>Lets nothing be added from now on. May be called again.</summary>
    public void Freeze() => IsFrozen = true;

    /// <summary>Finds a packet by its number.</summary>
    /// <param name="id">The number on the wire.</param>
    /// <param name="type">The packet.</param>
    /// <returns>False where no packet has this number.</returns>
    public bool TryGet(int id, [NotNullWhen(true)] out PacketType? type) => _byId.TryGetValue(id, out type);

    /// <summary>Finds a packet by its .NET type.</summary>
    /// <typeparam name="T">The packet's .NET type, exactly: not a base of it.</typeparam>
    /// <returns>The packet.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadOptions"/>: no packet has this .NET type.</exception>
    public PacketType<T> Get<T>() =>
        _byClrType.TryGetValue(typeof(T), out PacketType? type)
            ? (PacketType<T>)type
            : throw new TransportException(TransportFault.BadOptions, $"No packet is registered for {typeof(T)}: add its PacketType to the registry before the link opens.");

    /// <summary>Names a packet for people.</summary>
    /// <param name="id">The number on the wire.</param>
    /// <returns>For example <c>LogEvent (256)</c>, or <c>type 1234</c> for one that is not known.</returns>
    public string NameOf(int id) =>
        _byId.TryGetValue(id, out PacketType? type) ? type.ToString() : "type " + id.ToString(CultureInfo.InvariantCulture);
}
