using System.Threading.Tasks;

namespace Transport.Fuzz.Targets;

/// <summary>One side of the handshake, against a stream that has come already: the same outcome whatever the pieces.</summary>
internal abstract class HandshakeTarget(int salt) : FuzzTarget
{
    public sealed override bool TakesFrames => true;

    public sealed override ulong Run(byte[] input)
    {
        Allocation allocation = Allocation.Begin();
        (string outcome, ulong print) = Shake(input, Chunks.Whole);
        allocation.Check(input.Length * 2L, "a handshake");
        (string pieces, _) = Shake(input, Chunks.Random(input, salt));
        FuzzFailure.Unless(pieces == outcome, $"in pieces: {pieces}; whole: {outcome}");
        return print;
    }

    protected static T Now<T>(Task<T> task)
    {
        FuzzFailure.Unless(task.IsCompleted, "the handshake waits though everything has come");
        return task.GetAwaiter().GetResult();
    }

    /// <summary>Shakes hands, and judges what came of it.</summary>
    protected abstract (string Outcome, ulong Print) Shake(byte[] input, Chunks chunks);
}
