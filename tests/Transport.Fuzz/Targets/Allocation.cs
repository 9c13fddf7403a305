using System;

namespace Transport.Fuzz.Targets;

/// <summary>What an input may make this thread allocate: a constant and a multiple of the bytes that came. A claim is nothing that came.
/// Measured on .NET; Mono does not say.</summary>
internal readonly struct Allocation
{
    /// <summary>What any input may take, in bytes: buffers of a fixed size, an exception with its sentence, types that are met for the
    /// first time.</summary>
    public const long Constant = 256 << 10;

    /// <summary>What each byte of input may take: a list of empty values has one object (24 B) and one slot (8 B) a byte, twice if it
    /// grows; texts have 2 B a character.</summary>
    public const long PerByte = 96;

    private readonly long _before;

    private Allocation(long before) => _before = before;

    public static Allocation Begin() => new(Now());

    /// <summary>Checks what was allocated since the beginning.</summary>
    /// <param name="input">The bytes that came.</param>
    /// <param name="what">What was done, for a person.</param>
    /// <param name="more">What this input may take besides, because a limit of the link says so.</param>
    public void Check(long input, string what, long more = 0)
    {
        long taken = Now() - _before;
        long allowed = Constant + (PerByte * input) + more;
        FuzzFailure.Unless(taken <= allowed, $"{what} allocated {taken} bytes for {input} bytes of input; allowed are {allowed}");
    }

    private static long Now() =>
#if NET
        GC.GetAllocatedBytesForCurrentThread();
#else
        0;
#endif
}
