namespace Transport.Journal;

/// <summary>
/// How far a direct write is. What is left to write always begins at a whole block: file offset, memory and length must, or the kernel
/// refuses it.
/// </summary>
internal struct BlockWrite(long offset, int count)
{
    /// <summary>How often in a row a write may end before its first whole block.</summary>
    private const int MostTries = 8;

    private int _tries;

    public readonly long Offset => offset;

    public readonly int Count => count;

    /// <summary>Gets how much of it is written, in whole blocks.</summary>
    public int Done { get; private set; }

    /// <summary>Takes in how much a call has written. A block of which a part was written is written again.</summary>
    /// <param name="written">The bytes, above 0.</param>
    /// <param name="error">Full if the disk keeps taking less than a block.</param>
    /// <returns>Whether it is over.</returns>
    public bool Add(int written, out StoreError error)
    {
        error = StoreError.None;
        if (Done + written >= count)
        {
            Done = count;
            return true;
        }

        int whole = written & ~(Block.Bytes - 1);
        Done += whole;
        _tries = whole > 0 ? 0 : _tries + 1;
        error = _tries < MostTries ? StoreError.None : StoreError.Full;
        return error != StoreError.None;
    }
}
