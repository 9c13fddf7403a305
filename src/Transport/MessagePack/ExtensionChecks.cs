using System;

namespace Transport;

/// <summary>Looks at the extensions of a value that is being passed over, and at how deep it is nested.</summary>
internal interface IExtensionCheck
{
    /// <summary>An extension stands at an offset, all of it, in so many arrays and maps.</summary>
    void At(ReadOnlySpan<byte> data, int offset, int depth);

    /// <summary>An array or map begins, the outermost with depth 1.</summary>
    void Enter(int depth);
}

/// <summary>Any extension will do.</summary>
internal struct AnyExtension : IExtensionCheck
{
    public readonly void At(ReadOnlySpan<byte> data, int offset, int depth)
    {
    }

    public readonly void Enter(int depth)
    {
    }
}

/// <summary>Finds how many arrays and maps stand inside each other.</summary>
internal struct DepthCheck : IExtensionCheck
{
    /// <summary>Gets the most so far.</summary>
    public int Deepest { get; private set; }

    public readonly void At(ReadOnlySpan<byte> data, int offset, int depth)
    {
    }

    public void Enter(int depth) => Deepest = Math.Max(Deepest, depth);
}
