using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Transport.Fuzz.Inputs;
using Transport.MSBuild;

namespace Transport.Fuzz.Crafted;

/// <summary>Makes the events of builds that no MSBuild would report: the plan of a build, and in it whatever a field can hold.</summary>
/// <param name="random">The choices.</param>
internal sealed class CraftedEvents(Prng random)
{
    private const long Start = 638_000_000_000_000_000;

    private static readonly BuildEventKind[] Kinds = [.. EventFields.Every.Select(fields => fields.Kind)];

    private static readonly BuildEventKind[] Plan =
    [
        BuildEventKind.ProjectStarted, BuildEventKind.ProjectStarted, BuildEventKind.TargetStarted, BuildEventKind.TaskStarted,
        BuildEventKind.TaskFinished, BuildEventKind.TargetFinished, BuildEventKind.ProjectFinished, BuildEventKind.Message,
        BuildEventKind.Warning, BuildEventKind.Error, BuildEventKind.ProjectEvaluationStarted, BuildEventKind.ProjectEvaluationFinished,
        BuildEventKind.TargetSkipped, BuildEventKind.TaskParameter, BuildEventKind.TaskCommandLine, BuildEventKind.BuildStarted,
        BuildEventKind.BuildFinished,
    ];

    private static readonly string[] Texts =
    [
        string.Empty, " ", "\0", "a\0b.csproj", "/", "//", "..", "/../..", "/a/b.csproj", "a.csproj", "C:\\a\\b.csproj",
        "\\\\server\\x", "a:b", "/a/b/", "/a/\0/b.csproj", "*", "?", "|", "<script>", "\u001b]0;x\u0007", "\u001b[31m",
        "\r\n::error::x", "##vso[task.setvariable variable=a]b", "##[group]", "{0} {1}", "%0A", "$(X)@(Y)%(Z)", "\ud800",
        "\udfff\ud800", "\ufeff", "\u202e", "\ue000\ue03f", "e\u0301", "😀", "MSBuild", "Csc", "Build", "Restore", "Get",
        "GetTargetPath;;_Get", "net10.0", "TargetFramework", "targetframework", "EXEC", "x y", "-", "--", "'\"`", "]]>", "\t",
        "error CS0001: x", "http://x y", "file:///a", "CS0168", new string('a', 300), new string('/', 300),
    ];

    private static readonly int[] Ids = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, -2, 1000, 10_000_000, int.MaxValue, int.MinValue, int.MaxValue - 1];

    private long _time = Start;
    private int _last;

    /// <summary>Makes the next event.</summary>
    public BuildEvent Next()
    {
        BuildEventKind kind = random.OneIn(4) ? random.Pick(Kinds) : random.Pick(Plan);
        EventFields fields = EventFields.Of(kind);
        object?[] values = fields.Usual.ToArray();
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = random.OneIn(12) ? Any(0) : Likely(fields.Names[i], values[i]);
        }

        if (random.OneIn(10))
        {
            values = [.. values, .. Enumerable.Range(0, 1 + random.Below(3)).Select(_ => random.OneIn(2) ? Pair() : Any(0))];
        }

        int id = random.OneIn(3) ? random.Pick(Ids) : _last;
        _last = kind == BuildEventKind.ProjectStarted && random.OneIn(2) ? _last + 1 : _last;
        return new BuildEvent
        {
            Kind = kind,
            Ticks = Time(),
            TimeKind = random.OneIn(10) ? (DateTimeKind)random.Below(3) : DateTimeKind.Utc,
            ThreadId = random.OneIn(3) ? random.Pick(Ids) : 0,
            Sender = random.OneIn(3) ? Text() : null,
            Message = random.OneIn(3) ? null : Text(),
            HelpKeyword = random.OneIn(10) ? Text() : null,
            TypeName = random.OneIn(10) ? Text() : null,
            Context = random.OneIn(8) ? null : new BuildEventIds
            {
                Submission = random.Pick(Ids), Node = random.Pick(Ids), Evaluation = random.Pick(Ids),
                ProjectInstance = random.OneIn(2) ? id : random.Pick(Ids), ProjectContext = id, Target = random.Pick(Ids),
                Task = random.Pick(Ids),
            },
            Fields = values,
        };
    }

    /// <summary>Makes the beginning of a project that the one before has asked for; now and then another event.</summary>
    public BuildEvent NextNested()
    {
        if (random.OneIn(50))
        {
            return Next();
        }

        EventFields fields = EventFields.Of(BuildEventKind.ProjectStarted);
        object?[] values = fields.Usual.ToArray();
        values[fields.IndexOf("ProjectFile")] = "/a/b.csproj";
        values[fields.IndexOf("ParentProjectBuildEventContext")] = new object?[] { 0L, 0L, 0L, 0L, (long)_last, 0L, 0L };
        var context = new BuildEventIds { ProjectInstance = ++_last, ProjectContext = _last };
        return new BuildEvent { Kind = BuildEventKind.ProjectStarted, Ticks = Time(), Context = context, Fields = values };
    }

    private object? Likely(string name, object? usual) => name switch
    {
        "ParentProjectBuildEventContext" => Enumerable.Range(0, random.OneIn(5) ? random.Below(9) : 7)
            .Select(_ => random.OneIn(20) ? Any(0) : (object?)(long)(random.OneIn(2) ? _last : random.Pick(Ids))).ToArray(),
        "GlobalProperties" or "Properties" or "BuildEnvironment" or "ExtendedMetadata" => Map(),
        "Items" or "TargetOutputs" => Items(),
        "OriginalBuildEventContext" or "MVID" or "ProfilerResult" or "LogItemMetadata" => Any(0),
        _ => usual switch
        {
            long => random.OneIn(2) ? (long)random.Pick(Ids) : (long)random.Next(),
            bool => random.OneIn(2),
            _ => random.OneIn(8) ? null : Text(),
        },
    };

    private object?[] Items() => [.. Enumerable.Range(0, random.Below(5)).Select(_ => random.OneIn(6) ? Any(0)
        : new object?[] { random.OneIn(3) ? null : Text(), Text(), random.OneIn(2) ? null : Map() })];

    private object?[] Pair() => [Text(), Any(1)];

    private BuildEventMap Map() => new([.. Enumerable.Range(0, random.Below(6)).Select(
        _ => new KeyValuePair<string, string?>(random.OneIn(3) ? "TargetFramework" : Text(), random.OneIn(8) ? null : Text()))]);

    private object? Any(int depth) => random.Below(9) switch
    {
        0 => null,
        1 => random.OneIn(2),
        2 => (long)random.Next(),
        3 => (long)random.Pick(Ids),
        4 => random.OneIn(3) ? double.NaN : BitConverter.Int64BitsToDouble((long)random.Next()),
        5 => new byte[random.OneIn(2) ? 16 : random.Below(40)],
        6 => Map(),
        7 when depth < 14 => Enumerable.Range(0, random.Below(4)).Select(_ => Any(depth + 1)).ToArray(),
        _ => Text(),
    };

    private string Text() => random.Below(30) switch
    {
        0 => string.Concat(random.Pick(Texts), random.Pick(Texts)),
        1 => string.Join('\n', Enumerable.Range(0, random.Below(5)).Select(_ => random.Pick(Texts))),
        2 => Path.Combine("/", random.Pick(Texts), random.Pick(Texts)),
        3 => new string((char)random.Below(0x10000), random.Below(20)),
        _ => random.Pick(Texts),
    };

    private long Time()
    {
        _time += random.Below(1_000_000);
        return random.Below(30) switch
        {
            0 => 0,
            1 => DateTime.MaxValue.Ticks,
            2 => 1,
            3 => _time - random.Below(100_000_000),
            4 => (long)(random.Next() % (ulong)DateTime.MaxValue.Ticks),
            _ => _time,
        };
    }
}
