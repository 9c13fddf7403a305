using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Transport.Fuzz.Inputs;
using Transport.Logging;
using Transport.Testing.Links;

namespace Transport.Fuzz.Targets;

/// <summary>Every packet that this repository has a formatter for.</summary>
internal static class Packetry
{
    /// <summary>Gives each formatter a target.</summary>
    public static IEnumerable<FuzzTarget> Targets()
    {
        yield return new PacketTarget<LogEvent>(LogEvent.PacketType, 50, Golden.Body("logevent.bin"), Golden.File("log-full.bin"),
            Golden.File("log-scopes.bin"),
            Golden.File("log-later.bin"), Golden.File("log-least.bin"));
        yield return new PacketTarget<OutputPacket>(
            OutputPacket.PacketType, 20, Golden.File("output.bin"), Golden.File("output-least.bin"));
        yield return new PacketTarget<ProgressPacket>(ProgressPacket.PacketType, 20, Golden.File("progress.bin"),
            Golden.File("progress-open.bin"));
        yield return new PacketTarget<Words>(Words.Type, 20, Written(Words.Type, new Words(["a", "b"], [[new("k", "v")]], [1, 2])));
        yield return new PacketTarget<Kinds>(Kinds.PacketType, 50, Written(Kinds.PacketType, AllKinds()));
#if NET
        foreach (FuzzTarget target in HarnessPacketry.Targets())
        {
            yield return target;
        }
#endif
    }

    /// <summary>Makes a router that hands everything on: typed if there is a formatter, as bytes if there is none.</summary>
    public static PacketRouter Router(Action<string, string> packet, RawPacketHandler raw)
    {
        PacketRouter router = new PacketRouter()
            .On<LogEvent>(e => packet("event", $"{e.Time.Ticks} {e.Level} {e.Category} {e.Message} {e.Exception} "
                + $"{string.Join(",", e.Context ?? [])} {string.Join(",", e.Properties.Select(p => p.Name + p.Value.Kind + p.Value))}"))
            .On<OutputPacket>(o => packet("output", $"{o.Time.Ticks} {o.Text} {o.IsPartial}"))
            .On(Words.Type, (w, _) => packet("words", w.Show()))
            .On<Kinds>(k => packet("all kinds", $"{k.Text} {k.Number()} {k.Places.Count}"))
            .OnRaw(258, raw)
            .OnRaw(517, raw)
            .OnRaw(1500, raw)
            .OnUnknown(one =>
            {
                raw(one);
                return Task.CompletedTask;
            });
#if NET
        HarnessPacketry.AddTo(router, packet);
#endif
        return router;
    }

    public static byte[] Written<T>(PacketType<T> type, T packet)
    {
        var output = new ArrayWriter();
        type.Formatter.Write(output, packet);
        return output.Written.ToArray();
    }

    private static long Number(this Kinds kinds) => kinds.Int + kinds.Long + kinds.Numbers.Length;

    private static Kinds AllKinds() => new(
        true, -1, -300, 70_000, -1L << 40, 200, 60_000, 4_000_000_000, ulong.MaxValue, 1.5f, -2.25, 12.50m, "text", null, [1, 2, 3],
            new byte[] { 4, 5 },
        new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc), new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero),
            TimeSpan.FromSeconds(3), new Guid("00112233-4455-6677-8899-aabbccddeeff"),
        DayOfWeek.Friday, 7, [1, 2, 300], ["a", "b"], [new("k", "v")], new Dictionary<int, Place>
        {
            [1] = new("here", 1, 2), [2] = new("there", 3, 4, new Place("beside", 5, 6)),
        }, new Place("home", 0, 0));
}
