namespace Transport.Loads.Measuring;

/// <summary>One round of one column of a journal's load.</summary>
/// <param name="Records">How many records were acknowledged.</param>
/// <param name="Seconds">Wall time.</param>
/// <param name="CpuMicros">CPU of all who took part, microseconds in all.</param>
/// <param name="Allocated">Bytes allocated over what a round without records allocates; not a number if nobody counts.</param>
/// <param name="Wait">How long one wait took, in nanoseconds; null if nobody waits or it is not known.</param>
internal sealed record JournalSample(
    long Records, double Seconds, double CpuMicros, double Allocated = double.NaN, Distribution? Wait = null)
{
    public double RecordsPerSecond => Records / Seconds;

    public double CpuPerRecord => CpuMicros / Records;

    public double AllocatedPerRecord => Allocated / Records;
}
