using System;
using System.IO;

namespace Transport;

/// <summary>The one kind of exception a wire throws, whatever the runtime threw underneath.</summary>
internal static class WireBroken
{
    public static IOException Read(Exception cause) => new("Reading from the wire failed: " + cause.Message, cause);

    public static IOException Write(Exception cause) => new("Writing to the wire failed: " + cause.Message, cause);

    public static IOException Aborted() => new("The wire was aborted or disposed on this side.");

    public static IOException PeerGone() => new("The peer has closed the wire: nobody reads any more.");
}
