using System.IO;

namespace Transport;

/// <summary>A connection was taken that must be given back: too few descriptors are left for it.</summary>
/// <param name="wire">The connection; the catcher ends it.</param>
/// <param name="message">What happened.</param>
internal sealed class DescriptorLimitException(IWire wire, string message) : IOException(message)
{
    public IWire Wire { get; } = wire;
}
