using System;
using System.Collections.Generic;
using System.Linq;

namespace Transport.MSBuild;

/// <summary>The fields of one kind of event: their names, as MSBuild names them, and their order on the wire. Immutable.</summary>
/// <remarks>Free of MSBuild's types, so that packets can be read where there is no SDK. A test holds the list against all public properties
/// of all event types of the SDK, another against the table in docs/reference/build-events.md.</remarks>
internal sealed class EventFields
{
    /// <summary>How many fields all messages have between their importance and their own: where in which file, mostly nothing.</summary>
    private const int Whereabouts = 8;

    private const string Importance = "Importance";

    /// <summary>A name that ends so is a number, which is mostly 0; or a flag, which is mostly false. All others are mostly null.</summary>
    private const char NumberMark = '#', FlagMark = '?';

    private const string Message =
        "Importance# Subcategory Code File LineNumber# ColumnNumber# EndLineNumber# EndColumnNumber# ProjectFile";
    private const string Diagnostic =
        "Subcategory Code File LineNumber# ColumnNumber# EndLineNumber# EndColumnNumber# ProjectFile HelpLink";
    private const string Extended = "ExtendedType ExtendedMetadata ExtendedData";

    /// <summary>At the number of each kind; null where there is none.</summary>
    private static readonly EventFields?[] ByKind = Make();

    private readonly string[] _names;
    private readonly object?[] _usual;
    private readonly int[] _order;

    private EventFields(BuildEventKind kind, string names)
    {
        Kind = kind;
        _names = names.Split([' '], StringSplitOptions.RemoveEmptyEntries);
        _usual = new object?[_names.Length];
        _order = new int[_names.Length];
        for (int i = 0; i < _names.Length; i++)
        {
            _usual[i] = _names[i][_names[i].Length - 1] switch
            {
                NumberMark => EventBoxes.Of(0),
                FlagMark => EventBoxes.Of(false),
                _ => null,
            };
            _names[i] = _names[i].TrimEnd(NumberMark, FlagMark);
            _order[i] = _names[0] != Importance || i == 0 ? i
                : i + Whereabouts < _names.Length ? i + Whereabouts
                : i + Whereabouts - _names.Length + 1;
        }
    }

    /// <summary>Gets the fields of every kind.</summary>
    public static IEnumerable<EventFields> Every => ByKind.OfType<EventFields>();

    public BuildEventKind Kind { get; }

    public IReadOnlyList<string> Names => _names;

    /// <summary>Gets what each field mostly is, so that it need not travel: nothing, 0, false.</summary>
    public ReadOnlySpan<object?> Usual => _usual;

    /// <summary>Gets the numbers of the fields in the order in which they travel: a message's own before the eight that say where, which
    /// are mostly as usual.</summary>
    public ReadOnlySpan<int> Order => _order;

    /// <exception cref="ArgumentOutOfRangeException">There is no such kind.</exception>
    public static EventFields Of(BuildEventKind kind) => Knows((int)kind) ? ByKind[(int)kind]!
        : throw new ArgumentOutOfRangeException(nameof(kind), kind, "There is no such kind of build event.");

    public static bool Knows(int kind) => (uint)kind < (uint)ByKind.Length && ByKind[kind] is not null;

    public int IndexOf(string name) => Array.IndexOf(_names, name);

    private static EventFields?[] Make()
    {
        EventFields[] all = [.. All()];
        var byKind = new EventFields?[all.Max(fields => (int)fields.Kind) + 1];
        foreach (EventFields fields in all)
        {
            byKind[(int)fields.Kind] = fields;
        }

        return byKind;
    }

    private static IEnumerable<EventFields> All() =>
    [
        new(BuildEventKind.Other, ""),
        new(BuildEventKind.Message, Message),
        new(BuildEventKind.Warning, Diagnostic),
        new(BuildEventKind.Error, Diagnostic),
        new(BuildEventKind.CriticalMessage, Message),
        new(BuildEventKind.Status, ""),
        new(BuildEventKind.Custom, ""),
        new(BuildEventKind.BuildStarted, "BuildEnvironment"),
        new(BuildEventKind.BuildFinished, "Succeeded?"),
        new(BuildEventKind.BuildCanceled, ""),
        new(BuildEventKind.BuildSubmissionStarted, "GlobalProperties EntryProjectsFullPath TargetNames Flags# SubmissionId#"),
        new(BuildEventKind.LoggersRegistered, "Loggers"),
        new(BuildEventKind.ProjectEvaluationStarted, "ProjectFile"),
        new(BuildEventKind.ProjectEvaluationFinished, "ProjectFile GlobalProperties Properties Items ProfilerResult"),
        new(BuildEventKind.ProjectImported, Message + " UnexpandedProject ImportedProjectFile ImportIgnored?"),
        new(BuildEventKind.PropertyReassignment, Message + " PropertyName PreviousValue NewValue Location"),
        new(BuildEventKind.PropertyInitialValueSet, Message + " PropertyName PropertyValue PropertySource"),
        new(BuildEventKind.UninitializedPropertyRead, Message + " PropertyName"),
        new(BuildEventKind.EnvironmentVariableRead, Message + " EnvironmentVariableName"),
        new(BuildEventKind.MetaprojectGenerated, Message + " metaprojectXml"),
        new(BuildEventKind.ProjectStarted,
            "ProjectId# ParentProjectBuildEventContext ProjectFile TargetNames GlobalProperties ToolsVersion Properties Items"),
        new(BuildEventKind.ProjectFinished, "ProjectFile Succeeded?"),
        new(BuildEventKind.TargetStarted, "TargetName ParentTarget ProjectFile TargetFile BuildReason#"),
        new(BuildEventKind.TargetFinished, "TargetName Succeeded? ProjectFile TargetFile TargetOutputs"),
        new(BuildEventKind.TargetSkipped, Message + " SkipReason# TargetName ParentTarget TargetFile BuildReason# OriginallySucceeded? "
            + "OriginalBuildEventContext Condition EvaluatedCondition"),
        new(BuildEventKind.TaskStarted, "TaskName ProjectFile TaskFile LineNumber# ColumnNumber# TaskAssemblyLocation"),
        new(BuildEventKind.TaskFinished, "TaskName Succeeded? ProjectFile TaskFile"),
        new(BuildEventKind.TaskParameter, Message + " Kind# ParameterName PropertyName ItemType Items LogItemMetadata?"),
        new(BuildEventKind.TaskCommandLine, Message + " CommandLine TaskName"),
        new(BuildEventKind.ExternalProjectStarted, "ProjectFile TargetNames"),
        new(BuildEventKind.ExternalProjectFinished, "ProjectFile Succeeded?"),
        new(BuildEventKind.AssemblyLoad,
            Message + " LoadingContext# LoadingInitiator AssemblyName AssemblyPath MVID AppDomainDescriptor"),
        new(BuildEventKind.ResponseFileUsed, Message + " ResponseFilePath"),
        new(BuildEventKind.Telemetry, "EventName Properties"),
        new(BuildEventKind.ExtendedMessage, Message + " " + Extended),
        new(BuildEventKind.ExtendedCriticalMessage, Message + " " + Extended),
        new(BuildEventKind.ExtendedWarning, Diagnostic + " " + Extended),
        new(BuildEventKind.ExtendedError, Diagnostic + " " + Extended),
        new(BuildEventKind.ExtendedCustom, Extended),
    ];
}
