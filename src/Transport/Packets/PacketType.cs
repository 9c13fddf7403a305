using System;
using System.Buffers;

namespace Transport;

/// <summary>One kind of packet: its number on the wire, its name, the lane it travels in by default. Immutable.</summary>
public abstract class PacketType
{
    private protected PacketType(ushort id, string name, Lane lane, Type clrType, bool usesTables)
    {
        if (string.IsNullOrEmpty(name))
        {
            throw name is null ? new ArgumentNullException(nameof(name))
                : new ArgumentException($"Packet type {id} needs a name, which errors and counters show.", nameof(name));
        }

        if (!IsForCallers(id))
        {
            throw new ArgumentOutOfRangeException(nameof(id), id,
                $"Packet {name}: the number is one of {Allowed}; applications use 1024 and above.");
        }

        if (lane is < Lane.Urgent or > Lane.Bulk)
        {
            throw new ArgumentOutOfRangeException(nameof(lane), lane, $"Packet {name} ({id}): the lane is Urgent, Normal or Bulk.");
        }

        Id = id;
        Name = name;
        Lane = lane;
        ClrType = clrType;
        UsesTables = usesTables;
    }

    /// <summary>Gets the number on the wire, 256 to 65535; applications use 1024 and above.</summary>
    public ushort Id { get; }

    /// <summary>Gets the name shown to people, in errors and in counters.</summary>
    public string Name { get; }

    /// <summary>Gets the lane used if a send names none.</summary>
    public Lane Lane { get; }

    /// <summary>Gets the packet's .NET type.</summary>
    public Type ClrType { get; }

    /// <summary>Gets a value indicating whether its packets may refer to the string and map tables of their lane, on
    /// links whose sides both can.</summary>
    /// <value>False by default. Extensions 1 and 2 of such a packet are references, so its formatter writes no others of these two.</value>
    public bool UsesTables { get; }

    /// <inheritdoc/>
    public override string ToString() => $"{Name} ({Id})";

    /// <summary>Gets the numbers that callers may use, in words.</summary>
    internal static string Allowed =>
        $"256 to 65535 but {TableTypes.Strings} to {TableTypes.Types} and {RequestTypes.Request} to {RequestTypes.Credit}, which are the "
            + "link's own";

    /// <summary>Checks whether a number is for packets of callers.</summary>
    internal static bool IsForCallers(ushort id) => id >= 256 && !RequestTypes.IsOne(id) && !TableTypes.IsOne(id);

    /// <summary>Refuses what is no packet of a caller's.</summary>
    internal static void CheckRaw(ushort type, ReadOnlySpan<byte> body)
    {
        CheckNumber(type);
        if (body.IsEmpty)
        {
            throw new ArgumentException($"The body of packet type {type} is empty: a body is one MessagePack value.", nameof(body));
        }
    }

    /// <summary>Refuses a number that is not for packets of callers.</summary>
    internal static void CheckNumber(ushort type)
    {
        if (!IsForCallers(type))
        {
            throw new ArgumentOutOfRangeException(nameof(type), type, $"Allowed are {Allowed}.");
        }
    }

    /// <summary>Writes a packet of this type.</summary>
    internal abstract void Write(IBufferWriter<byte> output, object packet);

    /// <summary>Returns the log level of a packet of this type.</summary>
    internal abstract PacketLevel LevelOf(object packet);

    /// <summary>Gives a packet of this type to who takes any.</summary>
    internal abstract TResult Accept<TResult>(object packet, IPacketVisitor<TResult> visitor);
}

/// <summary>One kind of packet with its formatter.</summary>
/// <typeparam name="T">The packet.</typeparam>
public sealed class PacketType<T> : PacketType
{
    /// <summary>Initializes a new instance of the <see cref="PacketType{T}"/> class.</summary>
    /// <param name="id">The number on the wire: 1024 to 65535 for applications, 256 to 1023 for packages of this repository.</param>
    /// <param name="name">The name shown to people.</param>
    /// <param name="formatter">Writes and reads the body.</param>
    /// <param name="lane">The lane used if a send names none; <see cref="Lane.Normal"/> by default.</param>
    /// <param name="level">Gives a packet's log level, for the counts of what was dropped; null: the packets have none.</param>
    /// <param name="usesTables">Lets its packets refer to the string and map tables of their lane, as far as the peer can follow; the
    /// formatter chooses what does, by <see cref="PacketWriter.WriteTableString(string, bool)"/> and
    /// <see cref="PacketWriter.BeginTableMap"/>.</param>
    /// <param name="validatesBody">Promises that the formatter reads or skips every byte of a body, so that the link need not validate it
    /// first; see <see cref="ValidatesBody"/>.</param>
    /// <exception cref="ArgumentOutOfRangeException">The number or the lane is not for callers.</exception>
    public PacketType(
        ushort id,
        string name,
        IPacketFormatter<T> formatter,
        Lane lane = Lane.Normal,
        Func<T, PacketLevel>? level = null,
        bool usesTables = false,
        bool validatesBody = false)
        : base(id, name, lane, typeof(T), usesTables)
    {
        Formatter = formatter ?? throw new ArgumentNullException(nameof(formatter));
        Level = level;
        ValidatesBody = validatesBody;
    }

    /// <summary>Gets the formatter.</summary>
    public IPacketFormatter<T> Formatter { get; }

    /// <summary>Reads a packet from a body in one block, such as a journal's record has.</summary>
    /// <param name="body">The body.</param>
    /// <returns>The packet.</returns>
    /// <exception cref="TransportException">As <see cref="IPacketFormatter{T}.Read"/>: it is no such body.</exception>
    public T Read(ReadOnlyMemory<byte> body) => Formatter.Read(new ReadOnlySequence<byte>(body));

    /// <summary>Gets the function that gives a packet's log level; null if the packets have none.</summary>
    public Func<T, PacketLevel>? Level { get; }

    /// <summary>Gets a value indicating whether the formatter validates a whole body while it reads; if not, the link does so first, which
    /// takes about 25 ns for 256 bytes.</summary>
    /// <value>False by default; true for generated formatters.</value>
    /// <remarks>Such a formatter reads or skips every byte as MessagePack, elements that it does not know with
    /// <see cref="PacketReader.Skip(int)"/>, and calls <see cref="PacketReader.ReadEnd"/> last. A body that is anything but one valid value
    /// then ends in <see cref="TransportFault.PacketMalformed"/>.</remarks>
    public bool ValidatesBody { get; }

    internal override void Write(IBufferWriter<byte> output, object packet) => Formatter.Write(output, (T)packet);

    internal override PacketLevel LevelOf(object packet) => Level?.Invoke((T)packet) ?? PacketLevel.None;

    internal override TResult Accept<TResult>(object packet, IPacketVisitor<TResult> visitor) => visitor.Visit(this, (T)packet);
}
