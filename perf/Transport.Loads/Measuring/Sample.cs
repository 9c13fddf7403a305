namespace Transport.Loads.Measuring;

/// <summary>One round of one column.</summary>
/// <param name="Packets">How many packets went over.</param>
/// <param name="Seconds">Wall time from the order to begin until the last packet had been checked.</param>
/// <param name="SenderCpu">CPU of the sending process, microseconds in all.</param>
/// <param name="ReceiverCpu">CPU of the receiving process, microseconds in all.</param>
/// <param name="SenderAllocated">Bytes allocated by the sending process.</param>
/// <param name="ReceiverAllocated">Bytes allocated by the receiving process.</param>
internal sealed record Sample(
    long Packets, double Seconds, double SenderCpu, double ReceiverCpu, long SenderAllocated, long ReceiverAllocated)
{
    /// <summary>Gets how many methods were compiled on both sides meanwhile.</summary>
    public long Compiled { get; init; }

    public double PacketsPerSecond => Packets / Seconds;

    public double Cpu => (SenderCpu + ReceiverCpu) / Packets;

    public double AllocatedBySender => (double)SenderAllocated / Packets;

    public double AllocatedByReceiver => (double)ReceiverAllocated / Packets;
}
