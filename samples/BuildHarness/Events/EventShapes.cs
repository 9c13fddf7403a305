using System;
using System.Collections.Frozen;
using System.Collections.Generic;
using System.Linq;
using Microsoft.Build.Framework;
using Microsoft.Build.Framework.Profiler;

namespace BuildHarness.Events;

/// <summary>Every kind of event with its fields, named as MSBuild names them. A test compares this list with all public properties of all
/// event types of the SDK.</summary>
internal static class EventShapes
{
    private static readonly FrozenDictionary<EventKind, EventShape> ByKind = All().ToFrozenDictionary(s => s.Kind);
    private static readonly FrozenDictionary<Type, EventShape> ByType = ByKind.Values.ToFrozenDictionary(s => s.Type);

    public static IEnumerable<EventShape> Every => ByKind.Values;

    public static EventShape Of(EventKind kind) => ByKind[kind];

    public static bool Knows(int kind) => ByKind.ContainsKey((EventKind)kind);

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

        return ByKind[EventKind.Other];
    }

    private static IEnumerable<EventShape> All() => [.. Plain(), .. Evaluations(), .. Builds(), .. Targets(), .. Messages(), .. Extended()];

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
            .Text("ExtendedType", e => e.ExtendedType).Value("ExtendedMetadata", e => EventMap.Of(e.ExtendedMetadata!))
                .Text("ExtendedData", e => e.ExtendedData);

    private static IEnumerable<EventShape> Plain() =>
    [
        Shape<BuildEventArgs>().Build(EventKind.Other),
        Message<BuildMessageEventArgs>().Build(EventKind.Message),
        Message<CriticalBuildMessageEventArgs>().Build(EventKind.CriticalMessage),
        Warning<BuildWarningEventArgs>().Build(EventKind.Warning),
        Error<BuildErrorEventArgs>().Build(EventKind.Error),
        Shape<BuildStatusEventArgs>().Build(EventKind.Status),
        Shape<CustomBuildEventArgs>().Build(EventKind.Custom),
    ];

    private static IEnumerable<EventShape> Extended() =>
    [
        WithExtension(Message<ExtendedBuildMessageEventArgs>()).Build(EventKind.ExtendedMessage),
        WithExtension(Message<ExtendedCriticalBuildMessageEventArgs>()).Build(EventKind.ExtendedCriticalMessage),
        WithExtension(Warning<ExtendedBuildWarningEventArgs>()).Build(EventKind.ExtendedWarning),
        WithExtension(Error<ExtendedBuildErrorEventArgs>()).Build(EventKind.ExtendedError),
        WithExtension(Shape<ExtendedCustomBuildEventArgs>()).Build(EventKind.ExtendedCustom),
    ];

    private static IEnumerable<EventShape> Builds() =>
    [
        Shape<BuildStartedEventArgs>().Value("BuildEnvironment", e => EventMap.Of(e.BuildEnvironment)).Build(EventKind.BuildStarted),
        Shape<BuildFinishedEventArgs>().Flag("Succeeded", e => e.Succeeded).Build(EventKind.BuildFinished),
        Shape<BuildCanceledEventArgs>().Build(EventKind.BuildCanceled),
        Shape<BuildSubmissionStartedEventArgs>()
            .Value("GlobalProperties", e => EventMap.Of(e.GlobalProperties!))
                .Value("EntryProjectsFullPath", e => EventValue.Of(e.EntryProjectsFullPath))
            .Value("TargetNames", e => EventValue.Of(e.TargetNames)).Number("Flags", e => (long)e.Flags)
                .Number("SubmissionId", e => e.SubmissionId)
            .Build(EventKind.BuildSubmissionStarted),
        Shape<LoggersRegisteredEventArgs>()
            .Value("Loggers", e => e.Loggers?.Select(EventExtras.ValueOf).ToArray()).Build(EventKind.LoggersRegistered),
        Shape<TelemetryEventArgs>().Text("EventName", e => e.EventName).Value("Properties", e => EventMap.Of(e.Properties!))
            .Build(EventKind.Telemetry),
        Shape<ProjectStartedEventArgs>()
            .Number("ProjectId", e => e.ProjectId)
                .Value("ParentProjectBuildEventContext", e => EventContext.ValueOf(e.ParentProjectBuildEventContext))
            .Text("ProjectFile", e => e.ProjectFile).Text("TargetNames", e => e.TargetNames)
                .Value("GlobalProperties", e => EventMap.Of(e.GlobalProperties))
            .Text("ToolsVersion", e => e.ToolsVersion).Value("Properties", e => EventItems.Properties(e.Properties))
            .Value("Items", e => EventItems.Items(e.Items)).Build(EventKind.ProjectStarted),
        Shape<ProjectFinishedEventArgs>().Text("ProjectFile", e => e.ProjectFile).Flag("Succeeded", e => e.Succeeded)
            .Build(EventKind.ProjectFinished),
        Shape<ExternalProjectStartedEventArgs>().Text("ProjectFile", e => e.ProjectFile).Text("TargetNames", e => e.TargetNames)
            .Build(EventKind.ExternalProjectStarted),
        Shape<ExternalProjectFinishedEventArgs>().Text("ProjectFile", e => e.ProjectFile).Flag("Succeeded", e => e.Succeeded)
            .Build(EventKind.ExternalProjectFinished),
    ];

    private static IEnumerable<EventShape> Evaluations() =>
    [
        Shape<ProjectEvaluationStartedEventArgs>().Text("ProjectFile", e => e.ProjectFile).Build(EventKind.ProjectEvaluationStarted),
        Shape<ProjectEvaluationFinishedEventArgs>()
            .Text("ProjectFile", e => e.ProjectFile).Value("GlobalProperties", e => EventItems.Properties(e.GlobalProperties))
            .Value("Properties", e => EventItems.Properties(e.Properties)).Value("Items", e => EventItems.Items(e.Items))
            .Value("ProfilerResult", e => Profile(e.ProfilerResult)).Build(EventKind.ProjectEvaluationFinished),
        Message<ProjectImportedEventArgs>()
            .Text("UnexpandedProject", e => e.UnexpandedProject).Text("ImportedProjectFile", e => e.ImportedProjectFile)
            .Flag("ImportIgnored", e => e.ImportIgnored).Build(EventKind.ProjectImported),
        Message<PropertyReassignmentEventArgs>()
            .Text("PropertyName", e => e.PropertyName).Text("PreviousValue", e => e.PreviousValue).Text("NewValue", e => e.NewValue)
            .Text("Location", e => e.Location).Build(EventKind.PropertyReassignment),
        Message<PropertyInitialValueSetEventArgs>()
            .Text("PropertyName", e => e.PropertyName).Text("PropertyValue", e => e.PropertyValue)
                .Text("PropertySource", e => e.PropertySource)
            .Build(EventKind.PropertyInitialValueSet),
        Message<UninitializedPropertyReadEventArgs>().Text("PropertyName", e => e.PropertyName).Build(EventKind.UninitializedPropertyRead),
        Message<EnvironmentVariableReadEventArgs>().Text("EnvironmentVariableName", e => e.EnvironmentVariableName)
            .Build(EventKind.EnvironmentVariableRead),
        Message<MetaprojectGeneratedEventArgs>().Text("metaprojectXml", e => e.metaprojectXml).Build(EventKind.MetaprojectGenerated),
    ];

    private static IEnumerable<EventShape> Targets() =>
    [
        Shape<TargetStartedEventArgs>()
            .Text("TargetName", e => e.TargetName).Text("ParentTarget", e => e.ParentTarget).Text("ProjectFile", e => e.ProjectFile)
            .Text("TargetFile", e => e.TargetFile).Number("BuildReason", e => (long)e.BuildReason).Build(EventKind.TargetStarted),
        Shape<TargetFinishedEventArgs>()
            .Text("TargetName", e => e.TargetName).Flag("Succeeded", e => e.Succeeded).Text("ProjectFile", e => e.ProjectFile)
            .Text("TargetFile", e => e.TargetFile).Value("TargetOutputs", e => EventItems.Items(e.TargetOutputs))
                .Build(EventKind.TargetFinished),
        Message<TargetSkippedEventArgs>()
            .Number("SkipReason", e => (long)e.SkipReason).Text("TargetName", e => e.TargetName).Text("ParentTarget", e => e.ParentTarget)
            .Text("TargetFile", e => e.TargetFile).Number("BuildReason", e => (long)e.BuildReason)
                .Flag("OriginallySucceeded", e => e.OriginallySucceeded)
            .Value("OriginalBuildEventContext", e => EventContext.ValueOf(e.OriginalBuildEventContext)).Text("Condition", e => e.Condition)
            .Text("EvaluatedCondition", e => e.EvaluatedCondition).Build(EventKind.TargetSkipped),
        Shape<TaskStartedEventArgs>()
            .Text("TaskName", e => e.TaskName).Text("ProjectFile", e => e.ProjectFile).Text("TaskFile", e => e.TaskFile)
                .Number("LineNumber", e => e.LineNumber)
            .Number("ColumnNumber", e => e.ColumnNumber).Text("TaskAssemblyLocation", e => e.TaskAssemblyLocation)
                .Build(EventKind.TaskStarted),
        Shape<TaskFinishedEventArgs>()
            .Text("TaskName", e => e.TaskName).Flag("Succeeded", e => e.Succeeded).Text("ProjectFile", e => e.ProjectFile)
                .Text("TaskFile", e => e.TaskFile)
            .Build(EventKind.TaskFinished),
    ];

    private static IEnumerable<EventShape> Messages() =>
    [
        Message<TaskParameterEventArgs>()
            .Number("Kind", e => (long)e.Kind).Text("ParameterName", e => e.ParameterName).Text("PropertyName", e => e.PropertyName)
            .Text("ItemType", e => e.ItemType).Value("Items", e => EventItems.Items(e.Items))
                .Flag("LogItemMetadata", e => e.LogItemMetadata)
            .Build(EventKind.TaskParameter),
        Message<TaskCommandLineEventArgs>().Text("CommandLine", e => e.CommandLine).Text("TaskName", e => e.TaskName)
            .Build(EventKind.TaskCommandLine),
        Message<AssemblyLoadBuildEventArgs>()
            .Number("LoadingContext", e => (long)e.LoadingContext).Text("LoadingInitiator", e => e.LoadingInitiator)
                .Text("AssemblyName", e => e.AssemblyName)
            .Text("AssemblyPath", e => e.AssemblyPath).Value("MVID", e => e.MVID.ToByteArray())
                .Text("AppDomainDescriptor", e => e.AppDomainDescriptor)
            .Build(EventKind.AssemblyLoad),
        Message<ResponseFileUsedEventArgs>().Text("ResponseFilePath", e => e.ResponseFilePath).Build(EventKind.ResponseFileUsed),
    ];

    private static object? Profile(ProfilerResult? result) => result is not { } profile ? null
        : profile.ProfiledLocations.Select(entry => new object?[]
    {
        EventValue.Of(entry.Key.Id), EventValue.Of(entry.Key.ParentId), EventValue.Of(entry.Key.EvaluationPass),
            entry.Key.EvaluationPassDescription, entry.Key.File,
        EventValue.Of(entry.Key.Line), entry.Key.ElementName, entry.Key.ElementDescription, EventValue.Of(entry.Key.Kind),
        EventValue.Of(entry.Value.InclusiveTime), EventValue.Of(entry.Value.ExclusiveTime), EventValue.Of(entry.Value.NumberOfHits),
    }).ToArray<object?>();
}
