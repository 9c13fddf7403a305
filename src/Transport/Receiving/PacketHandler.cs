using System;
using System.Threading.Tasks;

namespace Transport;

/// <summary>What a router knows of one packet type: how to read it and whom to give it to.</summary>
internal abstract class PacketHandler
{
    /// <summary>Gets the packet's name for people.</summary>
    public abstract string Name { get; }

    /// <summary>Gets a value indicating whether the formatter validates the whole body, so that the check before it is skipped.</summary>
    public virtual bool ChecksBody => false;

    /// <summary>Gets a value indicating whether the handler may go on after <see cref="HandleAsync"/> has returned.</summary>
    public virtual bool IsAsync => true;

    /// <summary>Reads and handles a packet.</summary>
    /// <param name="packet">The packet; its body is valid until the task has completed.</param>
    /// <returns>Completes when the handler is done, or a loop has the packet.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/> from reading;
    /// <see cref="TransportFault.HandlerFailed"/> from handling; from the body of a packet with references, which is written out if a
    /// handler asks for it, also <see cref="TransportFault.PacketTooLarge"/>. No other.</exception>
    public abstract ValueTask HandleAsync(in RawPacket packet);

    /// <summary>Reads and handles a packet to its end, also one that a loop reads: completes when the loop is done with it.</summary>
    /// <inheritdoc cref="HandleAsync"/>
    /// <returns>Whether it was handled; false if its link was cut before a loop took it.</returns>
    public virtual ValueTask<bool> HandleToEndAsync(in RawPacket packet)
    {
        ValueTask handling = HandleAsync(packet);
        return handling.IsCompletedSuccessfully ? new ValueTask<bool>(true) : HandledAsync(handling);
    }

    private static async ValueTask<bool> HandledAsync(ValueTask handling)
    {
        await handling.ConfigureAwait(false);
        return true;
    }

    /// <summary>Makes the fault of a handler that threw.</summary>
    internal static TransportException Failed(string name, Exception cause) => new(
        TransportFault.HandlerFailed,
        $"The handler of packet {name} threw {ExceptionText.Brief(cause)}",
        cause);

    /// <summary>Reads a packet by its formatter.</summary>
    /// <exception cref="TransportException">As <see cref="HandleAsync"/>.</exception>
    protected static T Read<T>(PacketType<T> type, in RawPacket packet)
    {
        try
        {
            return type.Formatter.Read(packet.Sequence);
        }
        catch (Exception e)
        {
            throw Unreadable(type, e);
        }
    }

    /// <summary>Makes the fault of a packet whose formatter threw.</summary>
    protected static TransportException Unreadable(PacketType type, Exception cause) =>
        cause is TransportException { Fault: TransportFault.PacketMalformed } malformed
            ? new TransportException(TransportFault.PacketMalformed, $"Packet {type}: {malformed.Message}", malformed)
            : new TransportException(
                TransportFault.HandlerFailed, $"The formatter of packet {type} threw {ExceptionText.Brief(cause)}", cause);

    /// <summary>Awaits a handler that did not finish at once.</summary>
    internal static async ValueTask FinishAsync(ValueTask pending, string name)
    {
        try
        {
            await pending.ConfigureAwait(false);
        }
        catch (Exception e)
        {
            throw Failed(name, e);
        }
    }
}

/// <summary>A handler of packets that its formatter reads.</summary>
/// <param name="type">The packet's type.</param>
/// <param name="handler">The handler; null: the next.</param>
/// <param name="asyncHandler">A handler that may go on after it has returned.</param>
internal sealed class TypedHandler<T>(
    PacketType<T> type, Action<T, PacketContext>? handler, Func<T, PacketContext, Task>? asyncHandler) : PacketHandler
{
    public override string Name => type.ToString();

    public override bool IsAsync => asyncHandler is not null;

    public override bool ChecksBody { get; } = type.ValidatesBody;

    public override ValueTask HandleAsync(in RawPacket packet)
    {
        // Not Read: a generic method of a type argument that is a class looks its own up at each call.
        T value;
        try
        {
            value = type.Formatter.Read(packet.Sequence);
        }
        catch (Exception e)
        {
            throw Unreadable(type, e);
        }

        ValueTask pending;
        try
        {
            if (handler is not null)
            {
                handler(value, packet.Context);
                return default;
            }

            pending = new ValueTask(asyncHandler!(value, packet.Context));
        }
        catch (Exception e)
        {
            throw Failed(type.ToString(), e);
        }

        return pending.IsCompletedSuccessfully ? default : FinishAsync(pending, type.ToString());
    }
}

/// <summary>A handler of packets as bytes.</summary>
internal sealed class RawHandler(string name, RawPacketHandler? handler, AsyncRawPacketHandler? asyncHandler) : PacketHandler
{
    public override string Name => name;

    // Only ever set, by a link's receive thread; one that reads the old value puts its packet together when it is asked for it.
    private volatile bool _wantsWholeBodies;

    /// <summary>Gets or sets a value indicating whether the handler has asked for a whole body. Any thread.</summary>
    public bool WantsWholeBodies
    {
        get => _wantsWholeBodies;
        set => _wantsWholeBodies = value;
    }

    public override bool IsAsync => asyncHandler is not null;

    public override ValueTask HandleAsync(in RawPacket packet)
    {
        ValueTask pending;
        try
        {
            if (handler is not null)
            {
                handler(packet);
                return default;
            }

            pending = new ValueTask(asyncHandler!(packet));
        }
        catch (Exception e)
        {
            throw Fault(packet.Type, packet.Lent, e);
        }

        return pending.IsCompletedSuccessfully ? default : FinishAsync(pending, packet.Type, packet.Lent);
    }

    private static async ValueTask FinishAsync(ValueTask pending, ushort type, LentBody? lent)
    {
        try
        {
            await pending.ConfigureAwait(false);
        }
        catch (Exception e)
        {
            throw Fault(type, lent, e);
        }
    }

    /// <summary>Rethrows a fault of the body as the packet's, not the handler's.</summary>
    private static TransportException Fault(ushort type, LentBody? lent, Exception thrown) =>
        thrown is TransportException fault && ReferenceEquals(fault, lent?.Fault)
            ? new TransportException(fault.Fault, $"Packet type {type}: {fault.Message}", fault)
            : Failed($"type {type}", thrown);
}
