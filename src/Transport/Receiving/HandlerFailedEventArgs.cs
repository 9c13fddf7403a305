using System;

namespace Transport;

/// <summary>A handler that threw, and on which packet.</summary>
public sealed class HandlerFailedEventArgs : EventArgs
{
    internal HandlerFailedEventArgs(string peer, ushort type, string packetName, bool isRequest, Exception exception)
    {
        Peer = peer;
        Type = type;
        PacketName = packetName;
        IsRequest = isRequest;
        Exception = exception;
    }

    /// <summary>Gets the name of the peer that sent the packet: the one that this side gave it if this side listened.</summary>
    public string Peer { get; }

    /// <summary>Gets the type of the packet, or of the request: a <see cref="PacketType.Id"/>.</summary>
    public ushort Type { get; }

    /// <summary>Gets the name for people, for example <c>Compile (1024)</c> or <c>type 1024</c>.</summary>
    public string PacketName { get; }

    /// <summary>
    /// Gets a value indicating whether the handler was one of requests: the peer was answered with the exception's type and message.
    /// </summary>
    public bool IsRequest { get; }

    /// <summary>Gets the handler's exception.</summary>
    public Exception Exception { get; }

    /// <inheritdoc/>
    public override string ToString() => $"{PacketName}: {ExceptionText.Full(Exception)}";
}
