using System;
using System.Buffers;

namespace Transport.Chaos.Packets;

/// <summary>A packet that can be accounted for: who sent it, as which of its lane, and bytes whose sum it carries.</summary>
/// <param name="Worker">The worker it goes between.</param>
/// <param name="Incarnation">Which process of that worker.</param>
/// <param name="Producer">Which producer of the sender.</param>
/// <param name="Number">Its number among those of this producer and lane that were queued, from 0.</param>
/// <param name="Level">A log level, 0 to 5.</param>
/// <param name="SentAt">When it was sent, by the system's monotonic clock, which all processes share.</param>
/// <param name="Payload">Random bytes.</param>
internal readonly record struct Parcel(
    int Worker, int Incarnation, int Producer, long Number, int Level, long SentAt, ReadOnlyMemory<byte> Payload)
{
    public static PacketType<Parcel> Type { get; } = new(
        1024, "Parcel", new Formatter(), level: static parcel => (PacketLevel)parcel.Level);

    /// <summary>Reads a body in place.</summary>
    /// <param name="body">The body.</param>
    /// <param name="bytes">How long the payload is.</param>
    /// <returns>The parcel without its payload, which is compared with its sum here.</returns>
    /// <exception cref="FormatException">The payload is not what was sent.</exception>
    public static Parcel Open(ReadOnlySpan<byte> body, out int bytes)
    {
        var reader = new PacketReader(body);
        reader.ReadArrayHeader(8);
        var parcel = new Parcel(reader.ReadInt32(), reader.ReadInt32(), reader.ReadInt32(), reader.ReadInt64(), reader.ReadInt32(),
            reader.ReadInt64(), default);
        uint sum = (uint)reader.ReadInt64();
        ReadOnlySpan<byte> payload = reader.ReadBin();
        bytes = payload.Length;
        return Payloads.Sum(payload) == sum ? parcel
            : throw new FormatException($"{parcel}: {bytes} bytes with another sum than was sent.");
    }

    private sealed class Formatter : IPacketFormatter<Parcel>
    {
        public void Write(IBufferWriter<byte> output, Parcel packet)
        {
            var writer = new PacketWriter(output);
            writer.WriteArrayHeader(8);
            writer.WriteInt(packet.Worker);
            writer.WriteInt(packet.Incarnation);
            writer.WriteInt(packet.Producer);
            writer.WriteInt(packet.Number);
            writer.WriteInt(packet.Level);
            writer.WriteInt(packet.SentAt);
            writer.WriteInt(Payloads.Sum(packet.Payload.Span));
            writer.WriteBin(packet.Payload.Span);
            writer.Flush();
        }

        public Parcel Read(in ReadOnlySequence<byte> body) => throw new NotSupportedException("Parcels are opened in place.");
    }
}
