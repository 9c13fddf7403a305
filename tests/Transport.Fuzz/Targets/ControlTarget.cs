using System;
using System.Collections.Generic;
using System.Linq;
using Transport.Fuzz.Inputs;
using Transport.Testing.Links;

namespace Transport.Fuzz.Targets;

/// <summary>The bodies of control packets; the first byte of an input is the type, 1 to 9.</summary>
internal sealed class ControlTarget : FuzzTarget
{
    private static readonly TransportFault[] Allowed = [TransportFault.PacketMalformed];

    public override string Name => "control";

    public override int Share => 60;

    public override IEnumerable<byte[]> Seeds() =>
    [
        [1, .. Golden.Body("hello.bin")],
        [2, .. Golden.Body("welcome.bin")],
        [3, .. Bodies.Map(("code", "busy"), ("field", "links"), ("yours", null), ("ours", "3"), ("message", "full"))],
        [4, .. Bodies.Map(("packets", 70_000L), ("reason", "FrameCorrupt"))],
        [5, .. Bodies.Map(("packets", 3))],
        [6, .. Bodies.Map(("id", 9), ("queuedBytes", null), ("oldestMs", 12))],
        [7, .. Bodies.Map(("id", 9), ("queuedBytes", 5))],
        [8, .. Bodies.Map(("level", 6))],
        [9, .. Bodies.Map(("lane", 2), ("packets", 5), ("bytes", 900), ("byLevel", null))],
        .. Golden.Of(Name),
    ];

    public override ulong Run(byte[] input)
    {
        if (input.Length == 0)
        {
            return 0;
        }

        ushort type = (ushort)(1 + ((input[0] - 1) & 0xff) % 9);
        byte[] body = input.AsSpan(1).ToArray();
        Allocation allocation = Allocation.Begin();
        TransportException? fault = Faults.Of(Allowed, () => Read(type, body));
        allocation.Check(input.Length, $"reading control packet {type}");
        return Faults.Print(fault) * 16 + type;
    }

    private static void Read(ushort type, byte[] body)
    {
        if (type <= ControlType.Reject)
        {
            HandshakeFields fields = HandshakeFields.Read(type, body);
            FuzzFailure.Unless(fields.Secret is null || fields.Secret.Length == 32, "a secret of another length");
            FuzzFailure.Unless(fields.Node is null || NodeName.IsValid(fields.Node), "a node name that is none");
            FuzzFailure.Unless(new[] { fields.App, fields.Protocol, fields.Code, fields.Message }.All(text => text is null || text.Length <= 1024), "a text without a limit");
            FuzzFailure.Unless(fields.Caps.Count <= 256 && fields.Caps.All(cap => cap.Length <= 1024), "capabilities without a limit");
            return;
        }

        MessagePackValue.Check(body);
        ControlFields read = ControlFields.Read(type, body);
        var output = new ArrayWriter();
        Write(type, read, output);
        ControlFields again = ControlFields.Read(type, output.Written);
        bool same = again.Packets == read.Packets && again.Id == read.Id && again.Level == read.Level && again.Lane == read.Lane && again.QueuedBytes == read.QueuedBytes && again.Reason == read.Reason
            && again.Refused == read.Refused && again.Detail == read.Detail;
        FuzzFailure.Unless(same, $"control packet {type}: what was read and written reads as another");
        FuzzFailure.Unless(type != ControlType.SetLevel || read.Level is >= 0 and <= 6, $"level {read.Level}");
        FuzzFailure.Unless(type != ControlType.Dropped || read.Lane is >= 1 and <= 3, $"lane {read.Lane}");
    }

    private static void Write(ushort type, in ControlFields fields, ArrayWriter output)
    {
        switch (type)
        {
            case ControlType.Goodbye:
                ControlBody.WriteGoodbye(output, fields.Packets, fields.Reason, fields.Refused, fields.Detail);
                break;
            case ControlType.Ack:
                ControlBody.WriteAck(output, fields.Packets);
                break;
            case ControlType.SetLevel:
                ControlBody.WriteSetLevel(output, (int)fields.Level);
                break;
            case ControlType.Dropped:
                ControlBody.WriteDropped(output, (Lane)fields.Lane, 0, [fields.Packets]);
                break;
            default:
                ControlBody.WritePing(output, fields.Id, fields.QueuedBytes);
                break;
        }
    }
}
