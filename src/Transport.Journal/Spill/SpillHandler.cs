using System;
using System.Threading.Tasks;

namespace Transport.Journal;

/// <summary>Takes spilled packets apart and gives what is new to the handlers of the same router.</summary>
/// <remarks>A packet that a loop reads is waited for until the loop is done with it, as for a handler. One that only stands in a loop when
/// its link is cut, or that was left there, is not handled, and the sender's next link brings it again.</remarks>
internal sealed class SpillHandler(SpillReceiver receiver, PacketRouter router) : PacketHandler
{
    public const string PacketName = "Spilled (288)";

    public override string Name => PacketName;

    public override ValueTask HandleAsync(in RawPacket packet)
    {
        SpillPacket.Read(packet.Encoded, out Guid journal, out SpillNumber number, out ushort type, out int at, out int length);
        if (RequestTypes.IsOne(type) || TableTypes.IsOne(type))
        {
            throw new TransportException(
                TransportFault.PacketMalformed,
                $"Packet {Name}: a packet of type {type} cannot be spilled, for it means something to its link alone.");
        }

        RawPacket inner = packet with { Type = type, Block = packet.EncodedBlock.AsMemory(at, length) };
        MessagePackValue.Check(inner.Body);
        SpillEntry entry = receiver.Rent(journal);
        return entry.TryEnter() ? HandleEntered(entry, number, inner) : WaitAsync(entry, number, inner.Lease());
    }

    private async ValueTask WaitAsync(SpillEntry entry, SpillNumber number, PacketLease packet)
    {
        await entry.EnterAsync().ConfigureAwait(false);
        await HandleEntered(entry, number, packet.Packet).ConfigureAwait(false);
    }

    private ValueTask HandleEntered(SpillEntry entry, SpillNumber number, RawPacket packet)
    {
        bool isOver = false;
        try
        {
            bool isDouble = number <= entry.Last;
            ValueTask<bool> handling = isDouble ? new ValueTask<bool>(true)
                : (router.Find(packet.Type) ?? router.Unknown)?.HandleToEndAsync(packet) ?? new ValueTask<bool>(true);
            if (!handling.IsCompletedSuccessfully)
            {
                isOver = true;
                return FinishAsync(handling, entry, number);
            }

            if (handling.Result)
            {
                Note(entry, number, isDouble);
            }

            return default;
        }
        finally
        {
            if (!isOver)
            {
                Leave(entry);
            }
        }
    }

    private async ValueTask FinishAsync(ValueTask<bool> handling, SpillEntry entry, SpillNumber number)
    {
        try
        {
            if (await handling.ConfigureAwait(false))
            {
                Note(entry, number, isDouble: false);
            }
        }
        finally
        {
            Leave(entry);
        }
    }

    private void Leave(SpillEntry entry)
    {
        entry.Leave();
        receiver.Return(entry);
    }

    private void Note(SpillEntry entry, SpillNumber number, bool isDouble)
    {
        if (!isDouble)
        {
            entry.Set(number);
        }

        receiver.Count(isDouble);
    }
}
