using System.Buffers;
using Transport.Packets;

namespace BuildHarness.Packets;

/// <summary>Main node to worker: begin nothing more, and give up what you are on, unless the reason is <see cref="Done"/>.</summary>
/// <param name="Reason">Why, for a person.</param>
internal sealed record StopWork(string Reason)
{
    /// <summary>All work is done.</summary>
    public const string Done = "done";

    /// <summary>A signal.</summary>
    public const string Interrupted = "interrupted";

    /// <summary>The main node cannot go on.</summary>
    public const string GivenUp = "given up";
}

internal sealed class StopWorkFormatter : IPacketFormatter<StopWork>
{
    public void Write(IBufferWriter<byte> output, StopWork packet)
    {
        var writer = new MessagePackWriter(output);
        writer.WriteArrayHeader(1);
        writer.WriteString(packet.Reason);
        writer.Flush();
    }

    public StopWork Read(in ReadOnlySequence<byte> body)
    {
        var reader = new MessagePackReader(body);
        int count = reader.ReadArrayHeader(1);
        var read = new StopWork(reader.ReadRequiredString());
        reader.Skip(count - 1);
        return read;
    }
}
