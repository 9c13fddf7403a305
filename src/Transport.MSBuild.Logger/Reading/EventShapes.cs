using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using Microsoft.Build.Framework;
using Microsoft.Build.Framework.Profiler;

namespace Transport.MSBuild;

/// <summary>Every kind of event with its fields, named as MSBuild names them. A test compares this list with all public properties of all
/// event types of the SDK.</summary>
internal static class EventShapes
{
    private const string Namespace = "Microsoft.Build.Framework";

    /// <summary>By the name of MSBuild's type, which an older MSBuild may not have: each shape is made by a function of its own, which is
    /// compiled only when an event of that type is there. A build has events of half of them.</summary>
    private static readonly Dictionary<string, Func<EventShape>> Makers = All();

    private static readonly ConcurrentDictionary<Type, EventShape> Made = new();

    /// <summary>The shape of a type, or of the nearest type it derives from.</summary>
    public static EventShape Of(Type type) => Made.GetOrAdd(type, Make);

    private static EventShape Make(Type type)
    {
        for (Type? one = type; one is not null; one = one.BaseType)
        {
            if (one.Namespace == Namespace && Makers.TryGetValue(one.Name, out Func<EventShape>? make))
            {
                return make();
            }
        }

        return Makers[nameof(BuildEventArgs)]();
    }

    private static Dictionary<string, Func<EventShape>> All()
    {
        var makers = new Dictionary<string, Func<EventShape>>(StringComparer.Ordinal);
        AddPlain(makers);
        AddExtended(makers);
        AddBuilds(makers);
        AddEvaluations(makers);
        AddTargets(makers);
        AddMessages(makers);
        return makers;
    }

    public static EventShapeBuilder<T> Shape<T>()
        where T : BuildEventArgs => new();

    public static EventShapeBuilder<T> Message<T>()
        where T : BuildMessageEventArgs => Shape<T>()
            .Number("Importance", e => (long)e.Importance).Text("Subcategory", e => e.Subcategory).Text("Code", e => e.Code)
                .Text("File", e => e.File)
            .Number("LineNumber", e => e.LineNumber).Number("ColumnNumber", e => e.ColumnNumber)
            .Number("EndLineNumber", e => e.EndLineNumber).Number("EndColumnNumber", e => e.EndColumnNumber)
                .Text("ProjectFile", e => e.ProjectFile);

    public static EventShapeBuilder<T> Warning<T>()
        where T : BuildWarningEventArgs => Shape<T>()
            .Text("Subcategory", e => e.Subcategory).Text("Code", e => e.Code).Text("File", e => e.File)
            .Number("LineNumber", e => e.LineNumber).Number("ColumnNumber", e => e.ColumnNumber)
            .Number("EndLineNumber", e => e.EndLineNumber).Number("EndColumnNumber", e => e.EndColumnNumber)
            .Text("ProjectFile", e => e.ProjectFile).Text("HelpLink", e => e.HelpLink);

    public static EventShapeBuilder<T> Error<T>()
        where T : BuildErrorEventArgs => Shape<T>()
            .Text("Subcategory", e => e.Subcategory).Text("Code", e => e.Code).Text("File", e => e.File)
            .Number("LineNumber", e => e.LineNumber).Number("ColumnNumber", e => e.ColumnNumber)
            .Number("EndLineNumber", e => e.EndLineNumber).Number("EndColumnNumber", e => e.EndColumnNumber)
            .Text("ProjectFile", e => e.ProjectFile).Text("HelpLink", e => e.HelpLink);

    private static void AddPlain(Dictionary<string, Func<EventShape>> makers)
    {
        makers[nameof(BuildEventArgs)] = () => Shape<BuildEventArgs>().Build(BuildEventKind.Other);
        makers[nameof(BuildMessageEventArgs)] = () => Message<BuildMessageEventArgs>().Build(BuildEventKind.Message);
        makers[nameof(CriticalBuildMessageEventArgs)] = () =>
            Message<CriticalBuildMessageEventArgs>().Build(BuildEventKind.CriticalMessage);
        makers[nameof(BuildWarningEventArgs)] = () => Warning<BuildWarningEventArgs>().Build(BuildEventKind.Warning);
        makers[nameof(BuildErrorEventArgs)] = () => Error<BuildErrorEventArgs>().Build(BuildEventKind.Error);
        makers[nameof(BuildStatusEventArgs)] = () => Shape<BuildStatusEventArgs>().Build(BuildEventKind.Status);
        makers[nameof(CustomBuildEventArgs)] = () => Shape<CustomBuildEventArgs>().Build(BuildEventKind.Custom);
    }

    private static void AddExtended(Dictionary<string, Func<EventShape>> makers)
    {
        makers[nameof(ExtendedBuildMessageEventArgs)] = () => ExtendedShapes.Message();
        makers[nameof(ExtendedCriticalBuildMessageEventArgs)] = () => ExtendedShapes.CriticalMessage();
        makers[nameof(ExtendedBuildWarningEventArgs)] = () => ExtendedShapes.Warning();
        makers[nameof(ExtendedBuildErrorEventArgs)] = () => ExtendedShapes.Error();
        makers[nameof(ExtendedCustomBuildEventArgs)] = () => ExtendedShapes.Custom();
    }

    private static void AddBuilds(Dictionary<string, Func<EventShape>> makers)
    {
        makers[nameof(BuildStartedEventArgs)] = () =>
            Shape<BuildStartedEventArgs>().Value("BuildEnvironment", e => BuildEventMap.Of(e.BuildEnvironment))
            .Build(BuildEventKind.BuildStarted);
        makers[nameof(BuildFinishedEventArgs)] = () =>
            Shape<BuildFinishedEventArgs>().Flag("Succeeded", e => e.Succeeded).Build(BuildEventKind.BuildFinished);
        makers[nameof(BuildCanceledEventArgs)] = () => Shape<BuildCanceledEventArgs>().Build(BuildEventKind.BuildCanceled);
        makers[nameof(BuildSubmissionStartedEventArgs)] = () => Shape<BuildSubmissionStartedEventArgs>()
            .Value("GlobalProperties", e => BuildEventMap.Of(e.GlobalProperties!))
                .Value("EntryProjectsFullPath", e => EventValues.Of(e.EntryProjectsFullPath))
            .Value("TargetNames", e => EventValues.Of(e.TargetNames)).Number("Flags", e => (long)e.Flags)
                .Number("SubmissionId", e => e.SubmissionId)
            .Build(BuildEventKind.BuildSubmissionStarted);
        makers[nameof(LoggersRegisteredEventArgs)] = () => Shape<LoggersRegisteredEventArgs>()
            .Value("Loggers", e => e.Loggers?.Select(EventExtras.ValueOf).ToArray()).Build(BuildEventKind.LoggersRegistered);
        makers[nameof(TelemetryEventArgs)] = () =>
            Shape<TelemetryEventArgs>().Text("EventName", e => e.EventName).Value("Properties", e => BuildEventMap.Of(e.Properties!))
            .Build(BuildEventKind.Telemetry);
        makers[nameof(ProjectStartedEventArgs)] = () => Shape<ProjectStartedEventArgs>()
            .Number("ProjectId", e => e.ProjectId)
                .Value("ParentProjectBuildEventContext", e => EventIds.ValueOf(e.ParentProjectBuildEventContext))
            .Text("ProjectFile", e => e.ProjectFile).Text("TargetNames", e => e.TargetNames)
                .Value("GlobalProperties", e => BuildEventMap.Of(e.GlobalProperties))
            .Text("ToolsVersion", e => e.ToolsVersion).Properties("Properties", e => e.Properties)
            .Items("Items", e => e.Items).Build(BuildEventKind.ProjectStarted);
        makers[nameof(ProjectFinishedEventArgs)] = () =>
            Shape<ProjectFinishedEventArgs>().Text("ProjectFile", e => e.ProjectFile).Flag("Succeeded", e => e.Succeeded)
            .Build(BuildEventKind.ProjectFinished);
        makers[nameof(ExternalProjectStartedEventArgs)] = () =>
            Shape<ExternalProjectStartedEventArgs>().Text("ProjectFile", e => e.ProjectFile).Text("TargetNames", e => e.TargetNames)
            .Build(BuildEventKind.ExternalProjectStarted);
        makers[nameof(ExternalProjectFinishedEventArgs)] = () =>
            Shape<ExternalProjectFinishedEventArgs>().Text("ProjectFile", e => e.ProjectFile).Flag("Succeeded", e => e.Succeeded)
            .Build(BuildEventKind.ExternalProjectFinished);
    }

    private static void AddEvaluations(Dictionary<string, Func<EventShape>> makers)
    {
        makers[nameof(ProjectEvaluationStartedEventArgs)] = () =>
            Shape<ProjectEvaluationStartedEventArgs>().Text("ProjectFile", e => e.ProjectFile)
            .Build(BuildEventKind.ProjectEvaluationStarted);
        makers[nameof(ProjectEvaluationFinishedEventArgs)] = () => Shape<ProjectEvaluationFinishedEventArgs>()
            .Text("ProjectFile", e => e.ProjectFile).Properties("GlobalProperties", e => e.GlobalProperties)
            .Properties("Properties", e => e.Properties).Items("Items", e => e.Items)
            .Value("ProfilerResult", e => Profile(e.ProfilerResult)).Build(BuildEventKind.ProjectEvaluationFinished);
        makers[nameof(ProjectImportedEventArgs)] = () => Message<ProjectImportedEventArgs>()
            .Text("UnexpandedProject", e => e.UnexpandedProject).Text("ImportedProjectFile", e => e.ImportedProjectFile)
            .Flag("ImportIgnored", e => e.ImportIgnored).Build(BuildEventKind.ProjectImported);
        makers[nameof(PropertyReassignmentEventArgs)] = () => Message<PropertyReassignmentEventArgs>()
            .Text("PropertyName", e => e.PropertyName).Text("PreviousValue", e => e.PreviousValue).Text("NewValue", e => e.NewValue)
            .Text("Location", e => e.Location).Build(BuildEventKind.PropertyReassignment);
        makers[nameof(PropertyInitialValueSetEventArgs)] = () => Message<PropertyInitialValueSetEventArgs>()
            .Text("PropertyName", e => e.PropertyName).Text("PropertyValue", e => e.PropertyValue)
                .Text("PropertySource", e => e.PropertySource)
            .Build(BuildEventKind.PropertyInitialValueSet);
        makers[nameof(UninitializedPropertyReadEventArgs)] = () =>
            Message<UninitializedPropertyReadEventArgs>().Text("PropertyName", e => e.PropertyName)
            .Build(BuildEventKind.UninitializedPropertyRead);
        makers[nameof(EnvironmentVariableReadEventArgs)] = () =>
            Message<EnvironmentVariableReadEventArgs>().Text("EnvironmentVariableName", e => e.EnvironmentVariableName)
            .Build(BuildEventKind.EnvironmentVariableRead);
        makers[nameof(MetaprojectGeneratedEventArgs)] = () =>
            Message<MetaprojectGeneratedEventArgs>().Text("metaprojectXml", e => e.metaprojectXml)
            .Build(BuildEventKind.MetaprojectGenerated);
    }

    private static void AddTargets(Dictionary<string, Func<EventShape>> makers)
    {
        makers[nameof(TargetStartedEventArgs)] = () => Shape<TargetStartedEventArgs>()
            .Text("TargetName", e => e.TargetName).Text("ParentTarget", e => e.ParentTarget).Text("ProjectFile", e => e.ProjectFile)
            .Text("TargetFile", e => e.TargetFile).Number("BuildReason", e => (long)e.BuildReason).Build(BuildEventKind.TargetStarted);
        makers[nameof(TargetFinishedEventArgs)] = () => Shape<TargetFinishedEventArgs>()
            .Text("TargetName", e => e.TargetName).Flag("Succeeded", e => e.Succeeded).Text("ProjectFile", e => e.ProjectFile)
            .Text("TargetFile", e => e.TargetFile).Items("TargetOutputs", e => e.TargetOutputs)
                .Build(BuildEventKind.TargetFinished);
        makers[nameof(TargetSkippedEventArgs)] = () => Message<TargetSkippedEventArgs>()
            .Number("SkipReason", e => (long)e.SkipReason).Text("TargetName", e => e.TargetName).Text("ParentTarget", e => e.ParentTarget)
            .Text("TargetFile", e => e.TargetFile).Number("BuildReason", e => (long)e.BuildReason)
                .Flag("OriginallySucceeded", e => e.OriginallySucceeded)
            .Value("OriginalBuildEventContext", e => EventIds.ValueOf(e.OriginalBuildEventContext)).Text("Condition", e => e.Condition)
            .Text("EvaluatedCondition", e => e.EvaluatedCondition).Build(BuildEventKind.TargetSkipped);
        makers[nameof(TaskStartedEventArgs)] = () => Shape<TaskStartedEventArgs>()
            .Text("TaskName", e => e.TaskName).Text("ProjectFile", e => e.ProjectFile).Text("TaskFile", e => e.TaskFile)
                .Number("LineNumber", e => e.LineNumber)
            .Number("ColumnNumber", e => e.ColumnNumber).Text("TaskAssemblyLocation", e => e.TaskAssemblyLocation)
                .Build(BuildEventKind.TaskStarted);
        makers[nameof(TaskFinishedEventArgs)] = () => Shape<TaskFinishedEventArgs>()
            .Text("TaskName", e => e.TaskName).Flag("Succeeded", e => e.Succeeded).Text("ProjectFile", e => e.ProjectFile)
                .Text("TaskFile", e => e.TaskFile)
            .Build(BuildEventKind.TaskFinished);
    }

    private static void AddMessages(Dictionary<string, Func<EventShape>> makers)
    {
        makers[nameof(TaskParameterEventArgs)] = () => Message<TaskParameterEventArgs>()
            .Number("Kind", e => (long)e.Kind).Text("ParameterName", e => e.ParameterName).Text("PropertyName", e => e.PropertyName)
            .Text("ItemType", e => e.ItemType).Items("Items", e => e.Items)
                .Flag("LogItemMetadata", e => e.LogItemMetadata)
            .Build(BuildEventKind.TaskParameter);
        makers[nameof(TaskCommandLineEventArgs)] = () =>
            Message<TaskCommandLineEventArgs>().Text("CommandLine", e => e.CommandLine).Text("TaskName", e => e.TaskName)
            .Build(BuildEventKind.TaskCommandLine);
        makers[nameof(AssemblyLoadBuildEventArgs)] = () => Message<AssemblyLoadBuildEventArgs>()
            .Number("LoadingContext", e => (long)e.LoadingContext).Text("LoadingInitiator", e => e.LoadingInitiator)
                .Text("AssemblyName", e => e.AssemblyName)
            .Text("AssemblyPath", e => e.AssemblyPath).Value("MVID", e => e.MVID.ToByteArray())
                .Text("AppDomainDescriptor", e => e.AppDomainDescriptor)
            .Build(BuildEventKind.AssemblyLoad);
        makers[nameof(ResponseFileUsedEventArgs)] = () =>
            Message<ResponseFileUsedEventArgs>().Text("ResponseFilePath", e => e.ResponseFilePath).Build(BuildEventKind.ResponseFileUsed);
    }

    private static object? Profile(ProfilerResult? result) => result is not { } profile ? null
        : profile.ProfiledLocations.Select(entry => new object?[]
    {
        EventValues.Of(entry.Key.Id), EventValues.Of(entry.Key.ParentId), EventValues.Of(entry.Key.EvaluationPass),
            entry.Key.EvaluationPassDescription, entry.Key.File,
        EventValues.Of(entry.Key.Line), entry.Key.ElementName, entry.Key.ElementDescription, EventValues.Of(entry.Key.Kind),
        EventValues.Of(entry.Value.InclusiveTime), EventValues.Of(entry.Value.ExclusiveTime), EventValues.Of(entry.Value.NumberOfHits),
    }).ToArray<object?>();
}
