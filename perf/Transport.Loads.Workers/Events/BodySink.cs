using System;

namespace Transport.Loads.Events;

/// <summary>Where packets go that are not decoded: checks the order and the sum of every byte, as the C floor does.</summary>
internal sealed class BodySink(BodySet bodies) : LoadSink
{
    private uint _next;

    public void Take(ReadOnlySpan<byte> body)
    {
        if (!bodies.IsBody(body, _next))
        {
            Fail($"Packet {_next} came out of order or changed on its way.");
        }

        _next++;
        Came();
    }
}
