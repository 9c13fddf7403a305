using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.Build.Framework;
using Microsoft.Build.Framework.Profiler;

namespace Transport.MSBuild;

/// <summary>Every kind of event with its fields, named as MSBuild names them. A test compares this list with all public properties of all
/// event types of the SDK.</summary>
internal static class EventShapes
{
    private static readonly Dictionary<BuildEventKind, EventShape> ByKind = Known().ToDictionary(s => s.Kind);
    private static readonly Dictionary<Type, EventShape> ByType = ByKind.Values.ToDictionary(s => s.Type);

    public static IEnumerable<EventShape> Every => ByKind.Values;

    public static EventShape Of(BuildEventKind kind) => ByKind[kind];

    public static bool Knows(int kind) => ByKind.ContainsKey((BuildEventKind)kind);

    /// <summary>The shape of a type, or of the nearest type it derives from.</summary>
    public static EventShape Of(Type type)
    {
        for (Type? one = type; one is not null; one = one.BaseType)
        {
            if (ByType.TryGetValue(one, out EventShape? shape))
            {
                return shape;
            }
        }

        return ByKind[BuildEventKind.Other];
    }

    /// <summary>The shapes whose types this MSBuild has: each is made by a function of its own, since one with a type that is missing
    /// cannot be compiled.</summary>
    private static IEnumerable<EventShape> Known()
    {
        foreach (Func<EventShape> make in All())
        {
            EventShape shape;
            try
            {
                shape = make();
            }
            catch (TypeLoadException)
            {
                continue;   // an MSBuild without this type has no such events
            }

            yield return shape;
        }
    }

    private static IEnumerable<Func<EventShape>> All() =>
        [.. Plain(), .. Evaluations(), .. Builds(), .. Targets(), .. Messages(), .. Extended()];

    private static EventShapeBuilder<T> Shape<T>()
        where T : BuildEventArgs => new();

    private static EventShapeBuilder<T> Message<T>()
        where T : BuildMessageEventArgs => Shape<T>()
            .Number("Importance", e => (long)e.Importance).Text("Subcategory", e => e.Subcategory).Text("Code", e => e.Code)
                .Text("File", e => e.File)
            .Number("LineNumber", e => e.LineNumber).Number("ColumnNumber", e => e.ColumnNumber)
            .Number("EndLineNumber", e => e.EndLineNumber).Number("EndColumnNumber", e => e.EndColumnNumber)
                .Text("ProjectFile", e => e.ProjectFile);

    private static EventShapeBuilder<T> Warning<T>()
        where T : BuildWarningEventArgs => Shape<T>()
            .Text("Subcategory", e => e.Subcategory).Text("Code", e => e.Code).Text("File", e => e.File)
            .Number("LineNumber", e => e.LineNumber).Number("ColumnNumber", e => e.ColumnNumber)
            .Number("EndLineNumber", e => e.EndLineNumber).Number("EndColumnNumber", e => e.EndColumnNumber)
            .Text("ProjectFile", e => e.ProjectFile).Text("HelpLink", e => e.HelpLink);

    private static EventShapeBuilder<T> Error<T>()
        where T : BuildErrorEventArgs => Shape<T>()
            .Text("Subcategory", e => e.Subcategory).Text("Code", e => e.Code).Text("File", e => e.File)
            .Number("LineNumber", e => e.LineNumber).Number("ColumnNumber", e => e.ColumnNumber)
            .Number("EndLineNumber", e => e.EndLineNumber).Number("EndColumnNumber", e => e.EndColumnNumber)
            .Text("ProjectFile", e => e.ProjectFile).Text("HelpLink", e => e.HelpLink);

    private static EventShapeBuilder<T> WithExtension<T>(EventShapeBuilder<T> shape)
        where T : BuildEventArgs, IExtendedBuildEventArgs => shape
            .Text("ExtendedType", e => e.ExtendedType).Value("ExtendedMetadata", e => BuildEventMap.Of(e.ExtendedMetadata!))
                .Text("ExtendedData", e => e.ExtendedData);

    private static IEnumerable<Func<EventShape>> Plain() =>
    [
        () => Shape<BuildEventArgs>().Build(BuildEventKind.Other),
        () => Message<BuildMessageEventArgs>().Build(BuildEventKind.Message),
        () => Message<CriticalBuildMessageEventArgs>().Build(BuildEventKind.CriticalMessage),
        () => Warning<BuildWarningEventArgs>().Build(BuildEventKind.Warning),
        () => Error<BuildErrorEventArgs>().Build(BuildEventKind.Error),
        () => Shape<BuildStatusEventArgs>().Build(BuildEventKind.Status),
        () => Shape<CustomBuildEventArgs>().Build(BuildEventKind.Custom),
    ];

    private static IEnumerable<Func<EventShape>> Extended() =>
    [
        () => WithExtension(Message<ExtendedBuildMessageEventArgs>()).Build(BuildEventKind.ExtendedMessage),
        () => WithExtension(Message<ExtendedCriticalBuildMessageEventArgs>()).Build(BuildEventKind.ExtendedCriticalMessage),
        () => WithExtension(Warning<ExtendedBuildWarningEventArgs>()).Build(BuildEventKind.ExtendedWarning),
        () => WithExtension(Error<ExtendedBuildErrorEventArgs>()).Build(BuildEventKind.ExtendedError),
        () => WithExtension(Shape<ExtendedCustomBuildEventArgs>()).Build(BuildEventKind.ExtendedCustom),
    ];

    private static IEnumerable<Func<EventShape>> Builds() =>
    [
        () => Shape<BuildStartedEventArgs>().Value("BuildEnvironment", e => BuildEventMap.Of(e.BuildEnvironment))
            .Build(BuildEventKind.BuildStarted),
        () => Shape<BuildFinishedEventArgs>().Flag("Succeeded", e => e.Succeeded).Build(BuildEventKind.BuildFinished),
        () => Shape<BuildCanceledEventArgs>().Build(BuildEventKind.BuildCanceled),
        () => Shape<BuildSubmissionStartedEventArgs>()
            .Value("GlobalProperties", e => BuildEventMap.Of(e.GlobalProperties!))
                .Value("EntryProjectsFullPath", e => EventValues.Of(e.EntryProjectsFullPath))
            .Value("TargetNames", e => EventValues.Of(e.TargetNames)).Number("Flags", e => (long)e.Flags)
                .Number("SubmissionId", e => e.SubmissionId)
            .Build(BuildEventKind.BuildSubmissionStarted),
        () => Shape<LoggersRegisteredEventArgs>()
            .Value("Loggers", e => e.Loggers?.Select(EventExtras.ValueOf).ToArray()).Build(BuildEventKind.LoggersRegistered),
        () => Shape<TelemetryEventArgs>().Text("EventName", e => e.EventName).Value("Properties", e => BuildEventMap.Of(e.Properties!))
            .Build(BuildEventKind.Telemetry),
        () => Shape<ProjectStartedEventArgs>()
            .Number("ProjectId", e => e.ProjectId)
                .Value("ParentProjectBuildEventContext", e => EventIds.ValueOf(e.ParentProjectBuildEventContext))
            .Text("ProjectFile", e => e.ProjectFile).Text("TargetNames", e => e.TargetNames)
                .Value("GlobalProperties", e => BuildEventMap.Of(e.GlobalProperties))
            .Text("ToolsVersion", e => e.ToolsVersion).Properties("Properties", e => e.Properties)
            .Items("Items", e => e.Items).Build(BuildEventKind.ProjectStarted),
        () => Shape<ProjectFinishedEventArgs>().Text("ProjectFile", e => e.ProjectFile).Flag("Succeeded", e => e.Succeeded)
            .Build(BuildEventKind.ProjectFinished),
        () => Shape<ExternalProjectStartedEventArgs>().Text("ProjectFile", e => e.ProjectFile).Text("TargetNames", e => e.TargetNames)
            .Build(BuildEventKind.ExternalProjectStarted),
        () => Shape<ExternalProjectFinishedEventArgs>().Text("ProjectFile", e => e.ProjectFile).Flag("Succeeded", e => e.Succeeded)
            .Build(BuildEventKind.ExternalProjectFinished),
    ];

    private static IEnumerable<Func<EventShape>> Evaluations() =>
    [
        () => Shape<ProjectEvaluationStartedEventArgs>().Text("ProjectFile", e => e.ProjectFile)
            .Build(BuildEventKind.ProjectEvaluationStarted),
        () => Shape<ProjectEvaluationFinishedEventArgs>()
            .Text("ProjectFile", e => e.ProjectFile).Properties("GlobalProperties", e => e.GlobalProperties)
            .Properties("Properties", e => e.Properties).Items("Items", e => e.Items)
            .Value("ProfilerResult", e => Profile(e.ProfilerResult)).Build(BuildEventKind.ProjectEvaluationFinished),
        () => Message<ProjectImportedEventArgs>()
            .Text("UnexpandedProject", e => e.UnexpandedProject).Text("ImportedProjectFile", e => e.ImportedProjectFile)
            .Flag("ImportIgnored", e => e.ImportIgnored).Build(BuildEventKind.ProjectImported),
        () => Message<PropertyReassignmentEventArgs>()
            .Text("PropertyName", e => e.PropertyName).Text("PreviousValue", e => e.PreviousValue).Text("NewValue", e => e.NewValue)
            .Text("Location", e => e.Location).Build(BuildEventKind.PropertyReassignment),
        () => Message<PropertyInitialValueSetEventArgs>()
            .Text("PropertyName", e => e.PropertyName).Text("PropertyValue", e => e.PropertyValue)
                .Text("PropertySource", e => e.PropertySource)
            .Build(BuildEventKind.PropertyInitialValueSet),
        () => Message<UninitializedPropertyReadEventArgs>().Text("PropertyName", e => e.PropertyName)
            .Build(BuildEventKind.UninitializedPropertyRead),
        () => Message<EnvironmentVariableReadEventArgs>().Text("EnvironmentVariableName", e => e.EnvironmentVariableName)
            .Build(BuildEventKind.EnvironmentVariableRead),
        () => Message<MetaprojectGeneratedEventArgs>().Text("metaprojectXml", e => e.metaprojectXml)
            .Build(BuildEventKind.MetaprojectGenerated),
    ];

    private static IEnumerable<Func<EventShape>> Targets() =>
    [
        () => Shape<TargetStartedEventArgs>()
            .Text("TargetName", e => e.TargetName).Text("ParentTarget", e => e.ParentTarget).Text("ProjectFile", e => e.ProjectFile)
            .Text("TargetFile", e => e.TargetFile).Number("BuildReason", e => (long)e.BuildReason).Build(BuildEventKind.TargetStarted),
        () => Shape<TargetFinishedEventArgs>()
            .Text("TargetName", e => e.TargetName).Flag("Succeeded", e => e.Succeeded).Text("ProjectFile", e => e.ProjectFile)
            .Text("TargetFile", e => e.TargetFile).Items("TargetOutputs", e => e.TargetOutputs)
                .Build(BuildEventKind.TargetFinished),
        () => Message<TargetSkippedEventArgs>()
            .Number("SkipReason", e => (long)e.SkipReason).Text("TargetName", e => e.TargetName).Text("ParentTarget", e => e.ParentTarget)
            .Text("TargetFile", e => e.TargetFile).Number("BuildReason", e => (long)e.BuildReason)
                .Flag("OriginallySucceeded", e => e.OriginallySucceeded)
            .Value("OriginalBuildEventContext", e => EventIds.ValueOf(e.OriginalBuildEventContext)).Text("Condition", e => e.Condition)
            .Text("EvaluatedCondition", e => e.EvaluatedCondition).Build(BuildEventKind.TargetSkipped),
        () => Shape<TaskStartedEventArgs>()
            .Text("TaskName", e => e.TaskName).Text("ProjectFile", e => e.ProjectFile).Text("TaskFile", e => e.TaskFile)
                .Number("LineNumber", e => e.LineNumber)
            .Number("ColumnNumber", e => e.ColumnNumber).Text("TaskAssemblyLocation", e => e.TaskAssemblyLocation)
                .Build(BuildEventKind.TaskStarted),
        () => Shape<TaskFinishedEventArgs>()
            .Text("TaskName", e => e.TaskName).Flag("Succeeded", e => e.Succeeded).Text("ProjectFile", e => e.ProjectFile)
                .Text("TaskFile", e => e.TaskFile)
            .Build(BuildEventKind.TaskFinished),
    ];

    private static IEnumerable<Func<EventShape>> Messages() =>
    [
        () => Message<TaskParameterEventArgs>()
            .Number("Kind", e => (long)e.Kind).Text("ParameterName", e => e.ParameterName).Text("PropertyName", e => e.PropertyName)
            .Text("ItemType", e => e.ItemType).Items("Items", e => e.Items)
                .Flag("LogItemMetadata", e => e.LogItemMetadata)
            .Build(BuildEventKind.TaskParameter),
        () => Message<TaskCommandLineEventArgs>().Text("CommandLine", e => e.CommandLine).Text("TaskName", e => e.TaskName)
            .Build(BuildEventKind.TaskCommandLine),
        () => Message<AssemblyLoadBuildEventArgs>()
            .Number("LoadingContext", e => (long)e.LoadingContext).Text("LoadingInitiator", e => e.LoadingInitiator)
                .Text("AssemblyName", e => e.AssemblyName)
            .Text("AssemblyPath", e => e.AssemblyPath).Value("MVID", e => e.MVID.ToByteArray())
                .Text("AppDomainDescriptor", e => e.AppDomainDescriptor)
            .Build(BuildEventKind.AssemblyLoad),
        () => Message<ResponseFileUsedEventArgs>().Text("ResponseFilePath", e => e.ResponseFilePath).Build(BuildEventKind.ResponseFileUsed),
    ];

    private static object? Profile(ProfilerResult? result) => result is not { } profile ? null
        : profile.ProfiledLocations.Select(entry => new object?[]
    {
        EventValues.Of(entry.Key.Id), EventValues.Of(entry.Key.ParentId), EventValues.Of(entry.Key.EvaluationPass),
            entry.Key.EvaluationPassDescription, entry.Key.File,
        EventValues.Of(entry.Key.Line), entry.Key.ElementName, entry.Key.ElementDescription, EventValues.Of(entry.Key.Kind),
        EventValues.Of(entry.Value.InclusiveTime), EventValues.Of(entry.Value.ExclusiveTime), EventValues.Of(entry.Value.NumberOfHits),
    }).ToArray<object?>();
}
