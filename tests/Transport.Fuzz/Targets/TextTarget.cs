using System;
using System.Collections.Generic;
using System.Text;
using Transport.Fuzz.Inputs;

namespace Transport.Fuzz.Targets;

/// <summary>Texts that come from the environment or from a peer: endpoints, secrets, node names, reasons.</summary>
internal sealed class TextTarget : FuzzTarget
{
    private static readonly TransportFault[] BadEndpoint = [TransportFault.BadEndpoint];

    public override string Name => "texts";

    public override int Share => 20;

    public override IEnumerable<byte[]> Seeds()
    {
        string[] texts =
        [
            "unix:/run/user/1000/transport/4711-5f0c19aa.sock", "pipe:transport-7-00", "pipe:/tmp/x", "memory:m", "tcp:localhost:80",
                "shm:/x", "unix:", "unix:relative", ":",
            "000102030405060708090a0b0c0d0e0f101112131415161718191A1B1C1D1E1F", "FrameCorrupt", "n1", "unix:/" + new string('x', 110),
                "pipe:é/€",
        ];
        foreach (string text in texts)
        {
            yield return Encoding.UTF8.GetBytes(text);
        }
    }

    public override ulong Run(byte[] input)
    {
        string text = Encoding.UTF8.GetString(input);
        WireEndpoint? endpoint = null;
        TransportException? fault =
            Faults.Of(BadEndpoint, () => endpoint = WireEndpoint.Parse(text.Length > 2000 ? text.Substring(0, 2000) : text));
        FuzzFailure.Unless(endpoint is null || WireEndpoint.Parse(endpoint.ToString()) == endpoint,
            "an endpoint that is printed and read is another");
        LinkSecret? secret = null;
        FormatException? refused = RefusalOf(text, ref secret);
        FuzzFailure.Unless(secret is null || secret.Reveal() == text.ToLowerInvariant(), "a secret that is revealed is another");
        FuzzFailure.Unless(refused is null || text.Length < 8 || !refused.Message.Contains(text), "a refused secret is repeated");
        TransportFault reason = FaultNames.Parse(text);
        FuzzFailure.Unless(reason == TransportFault.None || reason.ToString() == text, "a reason is taken for another fault");
        return Faults.Print(fault) + (secret is null ? 0UL : 1) + (NodeName.IsValid(text) ? 2UL : 0) + (ulong)reason;
    }

    private static FormatException? RefusalOf(string text, ref LinkSecret? secret)
    {
        try
        {
            secret = LinkSecret.Parse(text);
            return null;
        }
        catch (FormatException e)
        {
            return e;
        }
    }
}
