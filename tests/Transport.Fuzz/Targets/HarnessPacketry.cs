#if NET
using System;
using System.Collections.Generic;
using BuildHarness.Packets;
using Microsoft.Build.Locator;
using Transport.MSBuild;

namespace Transport.Fuzz.Targets;

/// <summary>The packets of samples/BuildHarness: one formatter by hand, five generated. They need MSBuild's types, so .NET alone.</summary>
internal static class HarnessPacketry
{
    private static ProjectWork Work { get; } = new("/a/b.csproj", [new("Configuration", "Debug")], ["Build"]);

    private static WorkResult Result { get; } =
        new(Succeeded: true, [new TargetOutput("Build", true, [new TargetItem("a.dll", [new("M", "1")])])]);

    /// <summary>Finds the SDK's MSBuild; before any method that names one of its types is compiled.</summary>
    public static void FindMSBuild() => MSBuildLocator.RegisterDefaults();

    public static IEnumerable<FuzzTarget> Targets() =>
    [
        new PacketTarget<BuildEvent>(BuildEvent.PacketType, 50, [.. Events()]),
        new PacketTarget<BuildProject>(BuildProject.PacketType, 10,
            Packetry.Written(BuildProject.PacketType, new BuildProject(3, Work))),
        new PacketTarget<AskProject>(AskProject.PacketType, 10, Packetry.Written(AskProject.PacketType, new AskProject(1, 3, [Work]))),
        new PacketTarget<ProjectBuilt>(
            ProjectBuilt.PacketType, 5, Packetry.Written(ProjectBuilt.PacketType, new ProjectBuilt(3, Result, null))),
        new PacketTarget<StopWork>(StopWork.PacketType, 5, Packetry.Written(StopWork.PacketType, new StopWork(StopWork.Done))),
        new PacketTarget<ReplayFile>(ReplayFile.PacketType, 5, Packetry.Written(ReplayFile.PacketType, new ReplayFile("/a/b.binlog"))),
        new PacketTarget<Replayed>(Replayed.PacketType, 5, Packetry.Written(Replayed.PacketType, new Replayed(53_550, null))),
    ];

    public static void AddTo(PacketRouter router, Action<string, string> packet) => router
        .On<BuildEvent>(e => packet("build event", $"{e.Kind} {e.Ticks} {e.Message} {e.Sender} {e.Fields.Count}"))
        .On<BuildProject>(p => packet("project", $"{p.Id} {p.Work.Path} {p.Work.Properties.Count}"))
        .On<ProjectBuilt>(p => packet("built", p.ToString()!));

    private static IEnumerable<byte[]> Events()
    {
        // One of each kind: every kind's fields as usual, and one with all the rarer parts.
        foreach (EventFields fields in EventFields.Every)
        {
            yield return Packetry.Written(BuildEvent.PacketType, new BuildEvent
            {
                Kind = fields.Kind, Ticks = 638_000_000_000_000_000, Fields = fields.Usual.ToArray(),
            });
        }

        object?[] rare = [.. EventFields.Of(BuildEventKind.Message).Usual, "more", 7L, true, 2.5, new byte[] { 1 },
            new object?[] { "x", null }];
        yield return Packetry.Written(BuildEvent.PacketType, new BuildEvent
        {
            Kind = BuildEventKind.Message,
            TypeName = "Some.Event",
            Ticks = 1,
            TimeKind = DateTimeKind.Local,
            ThreadId = 4,
            Sender = "Csc",
            Message = "a message",
            HelpKeyword = "help",
            Context = new BuildEventIds { Submission = 1, Target = 6, Task = 7 },
            Fields = rare,
        });
    }
}
#endif
