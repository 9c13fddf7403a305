using System.Collections.Generic;

namespace Transport.Fuzz.Targets;

/// <summary>Every target, in the order in which they are listed.</summary>
internal static class TargetList
{
    public static IReadOnlyList<FuzzTarget> All() =>
    [
        new FrameTarget(), new ReceiveTarget(), new MessagePackTarget(), .. Packetry.Targets(), new ControlTarget(), new AcceptTarget(),
            new ConnectTarget(),
        new TablesTarget(), new TableLaneTarget(), new TailTarget(), new TextTarget(), new LinkTarget(),
    ];
}
