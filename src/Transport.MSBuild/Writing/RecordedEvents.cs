using System;
using System.Linq;
using Microsoft.Build.Execution;
using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>Events as MSBuild's own objects: the way back from <see cref="BuildEventReader"/>, for MSBuild's loggers.</summary>
internal static class RecordedEvents
{
    /// <returns>The object. Of an event type that MSBuild's binary log has no record of, a task's own class for one, it is a message, which
    /// is what MSBuild writes too.</returns>
    /// <param name="one">The event.</param>
    /// <param name="tasks">Recognizes what says where a task was found.</param>
    public static BuildEventArgs Of(BuildEvent one, TaskFoundText tasks)
    {
        BuildMessageEventArgs? found = tasks.Of(one);
        BuildEventArgs args = found ?? Create(one);
        if (args is BuildMessageEventArgs message)
        {
            SetPlace(message, one);
        }

        EventPrivates.SetTimestamp(args, new DateTime(one.Ticks, one.TimeKind));
        // MSBuild refuses to read a cancellation without a text.
        bool isBlank = one.Kind == BuildEventKind.BuildCanceled && string.IsNullOrWhiteSpace(one.Message);
        if (one.Kind != BuildEventKind.TaskParameter && !isBlank && found is null)
        {
            EventPrivates.SetMessage(args, one.Message);
        }

        EventPrivates.HelpKeyword(args) = one.HelpKeyword;
        EventPrivates.Sender(args) = one.Sender;
        if (one.Context is { } ids)
        {
            args.BuildEventContext = new BuildEventContext(
                ids.Submission, ids.Node, ids.Evaluation, ids.ProjectInstance, ids.ProjectContext, ids.Target, ids.Task);
        }

        return args;
    }

    private static BuildEventArgs Create(BuildEvent one) => one.Kind switch
    {
        _ when BuildEventText.IsWarning(one.Kind) => Warning(one),
        _ when BuildEventText.IsError(one.Kind) => Error(one),
        >= BuildEventKind.BuildStarted and < BuildEventKind.ProjectEvaluationStarted => Build(one),
        >= BuildEventKind.ProjectEvaluationStarted and < BuildEventKind.ProjectStarted => Evaluation(one),
        >= BuildEventKind.ProjectStarted and <= BuildEventKind.TaskFinished => Step(one),
        _ => Other(one),
    };

    private static BuildWarningEventArgs Warning(BuildEvent one)
    {
        BuildWarningEventArgs args = one.Kind == BuildEventKind.Warning
            ? new BuildWarningEventArgs(one.Text("Subcategory"), one.Text("Code"), one.Text("File"), one.Number("LineNumber"),
                one.Number("ColumnNumber"), one.Number("EndLineNumber"), one.Number("EndColumnNumber"), null, null, null,
                one.Text("HelpLink"), default, null)
            : new ExtendedBuildWarningEventArgs(one.Text("ExtendedType")!, one.Text("Subcategory"), one.Text("Code"), one.Text("File"),
                one.Number("LineNumber"), one.Number("ColumnNumber"), one.Number("EndLineNumber"), one.Number("EndColumnNumber"), null,
                null, null, one.Text("HelpLink"), default, null);
        args.ProjectFile = one.Text("ProjectFile");
        return Extended(args, one);
    }

    private static BuildErrorEventArgs Error(BuildEvent one)
    {
        BuildErrorEventArgs args = one.Kind == BuildEventKind.Error
            ? new BuildErrorEventArgs(one.Text("Subcategory"), one.Text("Code"), one.Text("File"), one.Number("LineNumber"),
                one.Number("ColumnNumber"), one.Number("EndLineNumber"), one.Number("EndColumnNumber"), null, null, null,
                one.Text("HelpLink"), default, null)
            : new ExtendedBuildErrorEventArgs(one.Text("ExtendedType")!, one.Text("Subcategory"), one.Text("Code"), one.Text("File"),
                one.Number("LineNumber"), one.Number("ColumnNumber"), one.Number("EndLineNumber"), one.Number("EndColumnNumber"), null,
                null, null, one.Text("HelpLink"), default, null);
        args.ProjectFile = one.Text("ProjectFile");
        return Extended(args, one);
    }

    private static BuildEventArgs Build(BuildEvent one) => one.Kind switch
    {
        BuildEventKind.BuildStarted => new BuildStartedEventArgs(null, null, RecordedValues.Map(one.Map("BuildEnvironment"))),
        BuildEventKind.BuildFinished => new BuildFinishedEventArgs(null, null, one.Flag("Succeeded")),
        BuildEventKind.BuildCanceled => new BuildCanceledEventArgs("Build canceled."),
        BuildEventKind.BuildSubmissionStarted => new BuildSubmissionStartedEventArgs(
            RecordedValues.Map(one.Map("GlobalProperties"))!, RecordedValues.Texts(one.ListOrNull("EntryProjectsFullPath")),
            RecordedValues.Texts(one.ListOrNull("TargetNames")), (BuildRequestDataFlags)one.Number("Flags"), one.Number("SubmissionId")),
        BuildEventKind.LoggersRegistered => new LoggersRegisteredEventArgs([.. one.List("Loggers").Select(RecordedValues.Logger)]),
        _ => Message(one),
    };

    private static BuildEventArgs Evaluation(BuildEvent one) => one.Kind switch
    {
        BuildEventKind.ProjectEvaluationStarted => new ProjectEvaluationStartedEventArgs { ProjectFile = one.Text("ProjectFile") },
        BuildEventKind.ProjectEvaluationFinished => new ProjectEvaluationFinishedEventArgs
        {
            ProjectFile = one.Text("ProjectFile"),
            GlobalProperties = RecordedValues.Properties(one.Map("GlobalProperties")),
            Properties = RecordedValues.Properties(one.Map("Properties")),
            Items = RecordedValues.TypedItems(one.ListOrNull("Items")),
            ProfilerResult = RecordedValues.Profile(one.ListOrNull("ProfilerResult")),
        },
        BuildEventKind.ProjectImported => new ProjectImportedEventArgs
        {
            UnexpandedProject = one.Text("UnexpandedProject"),
            ImportedProjectFile = one.Text("ImportedProjectFile"),
            ImportIgnored = one.Flag("ImportIgnored"),
        },
        BuildEventKind.PropertyReassignment => new PropertyReassignmentEventArgs
        {
            PropertyName = one.Text("PropertyName"),
            PreviousValue = one.Text("PreviousValue"),
            NewValue = one.Text("NewValue"),
            Location = one.Text("Location"),
        },
        BuildEventKind.PropertyInitialValueSet => new PropertyInitialValueSetEventArgs
        {
            PropertyName = one.Text("PropertyName"),
            PropertyValue = one.Text("PropertyValue"),
            PropertySource = one.Text("PropertySource"),
        },
        BuildEventKind.UninitializedPropertyRead => new UninitializedPropertyReadEventArgs { PropertyName = one.Text("PropertyName") },
        BuildEventKind.EnvironmentVariableRead => new EnvironmentVariableReadEventArgs
        {
            EnvironmentVariableName = one.Text("EnvironmentVariableName"),
        },
        BuildEventKind.MetaprojectGenerated => new MetaprojectGeneratedEventArgs(one.Text("metaprojectXml")!, null!, null!),
        _ => Message(one),
    };

    private static BuildEventArgs Step(BuildEvent one)
    {
        switch (one.Kind)
        {
            case BuildEventKind.ProjectStarted:
                return new ProjectStartedEventArgs(one.Number("ProjectId"), null!, null!, one.Text("ProjectFile"), one.Text("TargetNames"),
                    RecordedValues.Properties(one.Map("Properties")), RecordedValues.TypedItems(one.ListOrNull("Items")),
                    RecordedValues.Context(one.ListOrNull("ParentProjectBuildEventContext")),
                    RecordedValues.Map(one.Map("GlobalProperties")), one.Text("ToolsVersion"));
            case BuildEventKind.ProjectFinished:
                return new ProjectFinishedEventArgs(null, null, one.Text("ProjectFile"), one.Flag("Succeeded"));
            case BuildEventKind.TargetStarted:
                return new TargetStartedEventArgs(null, null, one.Text("TargetName"), one.Text("ProjectFile"), one.Text("TargetFile"),
                    one.Text("ParentTarget"), (TargetBuiltReason)one.Number("BuildReason"), default);
            case BuildEventKind.TargetFinished:
                return new TargetFinishedEventArgs(null, null, one.Text("TargetName"), one.Text("ProjectFile"), one.Text("TargetFile"),
                    one.Flag("Succeeded"), RecordedValues.Items(one.ListOrNull("TargetOutputs")));
            case BuildEventKind.TargetSkipped:
                return new TargetSkippedEventArgs
                {
                    SkipReason = (TargetSkipReason)one.Number("SkipReason"),
                    TargetName = one.Text("TargetName"),
                    ParentTarget = one.Text("ParentTarget"),
                    TargetFile = one.Text("TargetFile"),
                    BuildReason = (TargetBuiltReason)one.Number("BuildReason"),
                    OriginallySucceeded = one.Flag("OriginallySucceeded"),
                    OriginalBuildEventContext = RecordedValues.Context(one.ListOrNull("OriginalBuildEventContext")),
                    Condition = one.Text("Condition"),
                    EvaluatedCondition = one.Text("EvaluatedCondition"),
                };
            case BuildEventKind.TaskStarted:
                var started = new TaskStartedEventArgs(null, null, one.Text("ProjectFile"), one.Text("TaskFile"), one.Text("TaskName"),
                    one.Text("TaskAssemblyLocation"));
                EventPrivates.SetLine(started, one.Number("LineNumber"));
                EventPrivates.SetColumn(started, one.Number("ColumnNumber"));
                return started;
            default:
                return new TaskFinishedEventArgs(null, null, one.Text("ProjectFile"), one.Text("TaskFile"), one.Text("TaskName"),
                    one.Flag("Succeeded"));
        }
    }

    private static BuildEventArgs Other(BuildEvent one) => one.Kind switch
    {
        BuildEventKind.CriticalMessage => new CriticalBuildMessageEventArgs(null, null, null, 0, 0, 0, 0, null, null, null),
        BuildEventKind.TaskParameter => new TaskParameterEventArgs((TaskParameterMessageKind)one.Number("Kind"), one.Text("ParameterName"),
            one.Text("PropertyName"), one.Text("ItemType"), RecordedValues.Items(one.ListOrNull("Items")), one.Flag("LogItemMetadata"),
            default),
        BuildEventKind.TaskCommandLine => new TaskCommandLineEventArgs(one.Text("CommandLine"), one.Text("TaskName"), default),
        BuildEventKind.ExternalProjectStarted => new ExternalProjectStartedEventArgs(
            null, null, null, one.Text("ProjectFile"), one.Text("TargetNames")),
        BuildEventKind.ExternalProjectFinished => new ExternalProjectFinishedEventArgs(
            null, null, null, one.Text("ProjectFile"), one.Flag("Succeeded")),
        BuildEventKind.AssemblyLoad => new AssemblyLoadBuildEventArgs((AssemblyLoadingContext)one.Number("LoadingContext"),
            one.Text("LoadingInitiator"), one.Text("AssemblyName"), one.Text("AssemblyPath"), one.Id("MVID"),
            one.Text("AppDomainDescriptor"), default),
        BuildEventKind.ResponseFileUsed => new ResponseFileUsedEventArgs(one.Text("ResponseFilePath")),
        BuildEventKind.ExtendedMessage => Extended(new ExtendedBuildMessageEventArgs(one.Text("ExtendedType")!), one),
        BuildEventKind.ExtendedCriticalMessage => Extended(new ExtendedCriticalBuildMessageEventArgs(one.Text("ExtendedType")!), one),
        BuildEventKind.ExtendedCustom => Extended(new ExtendedCustomBuildEventArgs(one.Text("ExtendedType")!), one),
        _ => Message(one),
    };

    /// <summary>An event that has only a text is a message; one that says no importance has the middle one.</summary>
    private static BuildMessageEventArgs Message(BuildEvent one) => new(null, null, null,
        one.Kind == BuildEventKind.Message ? (MessageImportance)one.Number("Importance") : MessageImportance.Normal);

    private static T Extended<T>(T args, BuildEvent one)
        where T : BuildEventArgs
    {
        if (args is IExtendedBuildEventArgs extended)
        {
            extended.ExtendedData = one.Text("ExtendedData");
            extended.ExtendedMetadata = RecordedValues.Map(one.Map("ExtendedMetadata"))!;
        }

        return args;
    }

    private static void SetPlace(BuildMessageEventArgs args, BuildEvent one)
    {
        if (one.IndexOf("Importance") < 0)
        {
            return;
        }

        EventPrivates.Importance(args) = (MessageImportance)one.Number("Importance");
        EventPrivates.Subcategory(args) = one.Text("Subcategory");
        EventPrivates.Code(args) = one.Text("Code");
        EventPrivates.File(args) = one.Text("File");
        EventPrivates.Line(args) = one.Number("LineNumber");
        EventPrivates.Column(args) = one.Number("ColumnNumber");
        EventPrivates.EndLine(args) = one.Number("EndLineNumber");
        EventPrivates.EndColumn(args) = one.Number("EndColumnNumber");
        args.ProjectFile = one.Text("ProjectFile");
    }
}
