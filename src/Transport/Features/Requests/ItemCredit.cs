namespace Transport;

/// <summary>What items cost of the credit that their receiver grants (PROTOCOL.md, "Answers that stream").</summary>
internal static class ItemCredit
{
    /// <summary>What an item costs beside its bytes: about what keeping it takes.</summary>
    private const int Overhead = 32;

    /// <summary>Returns the cost of an item.</summary>
    /// <param name="bytes">The bytes of its value.</param>
    public static long Cost(int bytes) => (long)bytes + Overhead;
}
