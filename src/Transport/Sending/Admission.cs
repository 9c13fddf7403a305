namespace Transport;

/// <summary>Decides whether a packet finds capacity in the budget of its link. It has no lock: the counts of the budget decide.</summary>
internal sealed class Admission(ByteBudget budget, WaitingLine line, SendEnd end)
{
    /// <summary>Says, before anything is written, whether a packet may find capacity. The budget has none while anybody waits for it: a
    /// steady log would keep a large packet out forever.</summary>
    public bool MayFit<TBody>(in TBody body, Lane lane, long most, bool measures)
        where TBody : struct, IPacketBody
    {
        if (body.KnownSize > 0)
        {
            long size = FrameHeader.SizeOnWire(body.KnownSize);
            return (!line.HasWaiters && budget.Fits(size)) || (lane == Lane.Urgent && budget.FitsReserve(size));
        }

        return measures || (!line.HasWaiters && budget.CanAdmit(most)) || (MayUseReserve(lane, most) && budget.HasReserve);
    }

    /// <summary>Takes a packet's bytes: of what its sender has reserved, or of what nobody waits for. None once the direction is
    /// broken.</summary>
    public bool TryTake(Lane lane, long size, long most, Waiter? waiter)
    {
        if (end.State == SendState.Broken)
        {
            return false;
        }

        if (waiter is null)
        {
            return (!line.HasWaiters && budget.TryTake(size, most)) || (MayUseReserve(lane, most) && budget.TryTakeReserve(size));
        }

        long more = size - waiter.Reserved;
        if (more > 0)
        {
            if (!budget.TryTake(more, most))
            {
                return false;
            }

            waiter.Reserved += more;
        }

        waiter.Reserved -= size;   // what is left is given back when the sender leaves the line
        return true;
    }

    /// <summary>Checks whether a packet may go beyond the budget: an urgent one, but for those that leave capacity to higher
    /// levels.</summary>
    private bool MayUseReserve(Lane lane, long most) => lane == Lane.Urgent && most == budget.Limit;
}

/// <summary>What a packet that is written asks for: capacity for as many bytes as it turns out to take.</summary>
/// <param name="admission">Decides.</param>
/// <param name="lane">The packet's lane.</param>
/// <param name="most">The most bytes that may be queued with it.</param>
/// <param name="waiter">Its sender's place in the line, if it has waited.</param>
internal readonly struct CapacityAsk(Admission admission, Lane lane, long most, Waiter? waiter)
{
    /// <summary>Takes the bytes, if there is capacity.</summary>
    public bool TryTake(long size) => admission.TryTake(lane, size, most, waiter);
}
