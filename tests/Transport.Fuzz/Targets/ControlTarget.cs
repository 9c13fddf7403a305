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
            MessagePackValue.Check(body);
            var fields = new FieldReader();
            fields.Read(type, body);
            FuzzFailure.Unless(fields.Bytes(Field.Secret) is null or { Length: 32 }, "a secret of another length");
            FuzzFailure.Unless(fields.Text(Field.Node) is not { } node || NodeName.IsValid(node), "a node name that is none");
            Field[] texts = [Field.App, Field.Protocol, Field.Code, Field.Message];
            FuzzFailure.Unless(texts.All(text => fields.Text(text) is null or { Length: <= 1024 }), "a text without a limit");
            IReadOnlyList<string> caps = fields.Words(Field.Caps);
            FuzzFailure.Unless(caps.Count <= 256 && caps.All(cap => cap.Length <= 1024), "capabilities without a limit");
            FuzzFailure.Unless(fields.Names(Field.Names) is not { } names || (names.Count <= FieldTable.MaxNames
                && names.Values.All(name => name.Length <= FieldTable.MaxName)), "names without a limit");
            return;
        }

        MessagePackValue.Check(body);
        var read = new FieldReader();
        read.Read(type, body);
        var output = new ArrayWriter();
        Write(type, read, output);
        var again = new FieldReader();
        again.Read(type, output.Written);
        Field[] numbers = [Field.Packets, Field.Id, Field.Lane, Field.QueuedBytes, Field.Refused];
        bool same = numbers.All(field => again.NumberOrZero(field) == read.NumberOrZero(field))
            && TextOf(again, Field.Reason) == TextOf(read, Field.Reason)
            && TextOf(again, Field.Detail) == TextOf(read, Field.Detail)
            && (type != ControlType.SetLevel || Same(Rules(again), Rules(read)));
        FuzzFailure.Unless(same, $"control packet {type}: what was read and written reads as another");
        long level = read.NumberOrZero(Field.Level), lane = read.NumberOrZero(Field.Lane);
        FuzzFailure.Unless(type != ControlType.SetLevel || level is >= 0 and <= 6, $"level {level}");
        FuzzFailure.Unless(type != ControlType.Dropped || lane is >= 1 and <= 3, $"lane {lane}");
    }

    private static LevelRules Rules(FieldReader fields) =>
        LevelRules.Received((PacketLevel)fields.NumberOrZero(Field.Level), fields.Levels(Field.Categories));

    private static bool Same(LevelRules one, LevelRules other) => one.Default == other.Default
        && one.Categories.Count == other.Categories.Count
        && one.Categories.All(rule => other.Categories.TryGetValue(rule.Key, out PacketLevel level) && level == rule.Value);

    private static string TextOf(FieldReader fields, Field field) => fields.Text(field) ?? string.Empty;

    private static void Write(ushort type, FieldReader fields, ArrayWriter output)
    {
        switch (type)
        {
            case ControlType.Goodbye:
                ControlBody.WriteGoodbye(output, fields.NumberOrZero(Field.Packets), TextOf(fields, Field.Reason),
                    fields.NumberOrZero(Field.Refused), TextOf(fields, Field.Detail));
                break;
            case ControlType.Ack:
                ControlBody.WriteAck(output, fields.NumberOrZero(Field.Packets),
                    new HandlerMisses(fields.NumberOrZero(Field.Unhandled), fields.NumberOrZero(Field.Failed)));
                break;
            case ControlType.SetLevel:
                ControlBody.WriteSetLevel(output, Rules(fields));
                break;
            case ControlType.Dropped:
                ControlBody.WriteDropped(output, (Lane)fields.NumberOrZero(Field.Lane), 0, [fields.NumberOrZero(Field.Packets)]);
                break;
            default:
                ControlBody.WritePing(output, fields.NumberOrZero(Field.Id), fields.NumberOrZero(Field.QueuedBytes));
                break;
        }
    }
}
