using System;
using System.Collections.Generic;
using Transport.Fuzz.Inputs;

namespace Transport.Fuzz.Targets;

/// <summary>One piece of code that takes bytes from a peer, and what must hold whatever they are.</summary>
internal abstract class FuzzTarget
{
    public abstract string Name { get; }

    /// <summary>Gets how many of a thousand inputs go here.</summary>
    public abstract int Share { get; }

    /// <summary>Gets a value indicating whether inputs are streams of frames.</summary>
    public virtual bool TakesFrames => false;

    /// <summary>Gets valid inputs to begin with.</summary>
    public abstract IEnumerable<byte[]> Seeds();

    /// <summary>Runs an input.</summary>
    /// <returns>A number for what happened: an input that gives a new one is kept and changed further.</returns>
    /// <exception cref="FuzzFailure">What must hold does not. Any other exception is a failure too.</exception>
    public abstract ulong Run(byte[] input);
}

/// <summary>Something that must hold does not.</summary>
internal sealed class FuzzFailure(string what) : Exception(what)
{
    public static void Unless(bool holds, string what)
    {
        if (!holds)
        {
            throw new FuzzFailure(what);
        }
    }
}
