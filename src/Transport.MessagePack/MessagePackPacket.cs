using System;
using System.Diagnostics.CodeAnalysis;
using MessagePack;
using MessagePack.Formatters;

namespace Transport;

/// <summary>Packets of types that MessagePack-CSharp serializes (https://github.com/MessagePack-CSharp/MessagePack-CSharp): with
/// <c>[MessagePackObject]</c>, or with formatters and resolvers of your own.</summary>
/// <remarks>For types that are yet to be written <see cref="PacketAttribute"/> is the better way: its formatters are generated, take about
/// two thirds of the time, and run in programs that are compiled ahead without more.</remarks>
public static class MessagePackPacket
{
    private const string Emits = "The standard resolver of MessagePack-CSharp emits code at run time. A program that is compiled ahead or "
        + "trimmed passes options with a resolver of its own formatters, such as MessagePack-CSharp's mpc generates.";

    /// <summary>The most levels of arrays and maps in a body: those of <see cref="PacketReader.Skip()"/>.</summary>
    private const int MaxDepth = 64;

    /// <summary>Makes a packet type whose bodies are what <see cref="MessagePackSerializer"/> writes by MessagePack-CSharp's standard: of a
    /// type with <c>[MessagePackObject]</c>.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="id">The number on the wire, 1024 to 65535.</param>
    /// <param name="name">The name shown to people; null: the type's.</param>
    /// <param name="lane">The lane used if a send names none; <see cref="Lane.Normal"/> by default.</param>
    /// <param name="level">Gives a packet's log level, for the counts of what was dropped; null: the packets have none.</param>
    /// <returns>As of the other overload.</returns>
    /// <exception cref="ArgumentException">The standard resolver does not know <typeparamref name="T"/>; <paramref name="name"/> is
    /// empty.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The number or the lane is not for callers.</exception>
    /// <exception cref="NotSupportedException">The program is compiled ahead.</exception>
    [RequiresDynamicCode(Emits)]
    [RequiresUnreferencedCode(Emits)]
    public static PacketType<T> Of<T>(ushort id, string? name = null, Lane lane = Lane.Normal, Func<T, PacketLevel>? level = null)
    {
        if (!DynamicCode.IsSupported)
        {
            throw new NotSupportedException($"Packet {name ?? typeof(T).Name} ({id}): this program is compiled ahead. {Emits}");
        }

        return Of(id, MessagePackSerializerOptions.Standard, name, lane, level);
    }

    /// <summary>Makes a packet type whose bodies are what <see cref="MessagePackSerializer"/> writes with options of the caller's; the way
    /// for programs that are compiled ahead.</summary>
    /// <typeparam name="T">The packet: a type that the resolver of the options knows.</typeparam>
    /// <param name="id">The number on the wire, 1024 to 65535.</param>
    /// <param name="options">How to serialize. Whatever their security is, keys are hashed as
    /// <see cref="MessagePackSecurity.UntrustedData"/> has them hashed, and at most 64 levels are read: the bytes are those of another
    /// process.</param>
    /// <param name="name">The name shown to people; null: the type's.</param>
    /// <param name="lane">The lane used if a send names none; <see cref="Lane.Normal"/> by default.</param>
    /// <param name="level">Gives a packet's log level, for the counts of what was dropped; null: the packets have none.</param>
    /// <param name="allowTypeless">Takes options whose resolver writes the names of .NET types into bodies and makes objects of the names
    /// that it reads there (typeless serialization). A peer then chooses what is made, so it must be trusted with this process.</param>
    /// <returns>The type, to be kept: for <see cref="PacketRouter.On{T}(PacketType{T}, Action{T, PacketContext})"/>, sends, requests,
    /// journals. Safe from any thread as far as the resolver is.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    /// <exception cref="ArgumentException">The resolver does not know <typeparamref name="T"/>, or threw; the options compress; the
    /// resolver is typeless without <paramref name="allowTypeless"/>; <paramref name="name"/> is empty.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The number or the lane is not for callers.</exception>
    /// <remarks>
    /// <para>A send of an object that the resolver cannot write throws <see cref="MessagePackSerializationException"/> with the packet's
    /// name. Received bytes that are no such object are <see cref="TransportFault.PacketMalformed"/>; a formatter that is missing on the
    /// reading side is <see cref="TransportFault.HandlerFailed"/>.</para>
    /// <para>Nothing limits how deep an object is nested when it is written. Its receiver takes 64 levels of arrays and maps.</para>
    /// </remarks>
    public static PacketType<T> Of<T>(
        ushort id,
        MessagePackSerializerOptions options,
        string? name = null,
        Lane lane = Lane.Normal,
        Func<T, PacketLevel>? level = null,
        bool allowTypeless = false)
    {
        _ = options ?? throw new ArgumentNullException(nameof(options));
        name ??= typeof(T).Name;
        if (options.Compression != MessagePackCompression.None)
        {
            throw new ArgumentException(
                $"Packet {name} ({id}): the options compress ({options.Compression}). A compressed body can claim any size, so Transport "
                    + "takes none, and between processes of one machine copying is cheaper: use "
                    + "options.WithCompression(MessagePackCompression.None).",
                nameof(options));
        }

        if (!allowTypeless && Formatter<object>(options, name, id) is TypelessFormatter)
        {
            throw new ArgumentException(
                $"Packet {name} ({id}): the resolver {options.Resolver.GetType().Name} is typeless: bodies would name the .NET types that "
                    + "this process makes. Use another, or pass allowTypeless: true if every peer may choose what runs here.",
                nameof(options));
        }

        IMessagePackFormatter<T> known = Formatter<T>(options, name, id)
            ?? throw new ArgumentException(
                $"Packet {name} ({id}): the resolver {options.Resolver.GetType().Name} does not know {typeof(T)}. Mark it "
                    + "[MessagePackObject] and its members [Key(n)], or pass options with a resolver that knows it.",
                nameof(options));

        MessagePackSecurity security = options.Security
            .WithHashCollisionResistant(true)
            .WithMaximumObjectGraphDepth(Math.Min(options.Security.MaximumObjectGraphDepth, MaxDepth));
        var formatter = new SerializerFormatter<T>($"{name} ({id})", known, options.WithSecurity(security));
        return new PacketType<T>(id, name, formatter, lane, level, validatesBody: true);
    }

    /// <summary>Asks the resolver; it runs what the program wrote.</summary>
    private static IMessagePackFormatter<TValue>? Formatter<TValue>(MessagePackSerializerOptions options, string name, ushort id)
    {
        try
        {
            return options.Resolver.GetFormatter<TValue>();
        }
        catch (Exception e)
        {
            throw new ArgumentException(
                $"Packet {name} ({id}): the resolver {options.Resolver.GetType().Name} threw for {typeof(TValue)}: "
                    + $"{e.GetBaseException().Message}",
                nameof(options),
                e);
        }
    }
}
