namespace Transport.MSBuild;

/// <summary>What happened in a build: the number that stands first in a BuildEvent packet. Numbers are never reused
/// (docs/reference/build-events.md lists them with their fields).</summary>
public enum BuildEventKind
{
    /// <summary>An event of a type that none of the others describes; its type's name and public values are kept.</summary>
    Other = 0,

    /// <summary>A message.</summary>
    Message = 1,

    /// <summary>A warning.</summary>
    Warning = 2,

    /// <summary>An error.</summary>
    Error = 3,

    /// <summary>A message that is shown whatever the verbosity.</summary>
    CriticalMessage = 4,

    /// <summary>Where the build stands, of no particular type.</summary>
    Status = 5,

    /// <summary>An event of a task's own class.</summary>
    Custom = 6,

    /// <summary>The build begins.</summary>
    BuildStarted = 10,

    /// <summary>The build has ended.</summary>
    BuildFinished = 11,

    /// <summary>The build is being cancelled.</summary>
    BuildCanceled = 12,

    /// <summary>A request to build begins.</summary>
    BuildSubmissionStarted = 13,

    /// <summary>The loggers of the build are known.</summary>
    LoggersRegistered = 14,

    /// <summary>A project is being evaluated.</summary>
    ProjectEvaluationStarted = 20,

    /// <summary>A project has been evaluated: its properties and items.</summary>
    ProjectEvaluationFinished = 21,

    /// <summary>A project imports a file, or does not.</summary>
    ProjectImported = 22,

    /// <summary>A property gets another value.</summary>
    PropertyReassignment = 23,

    /// <summary>A property gets its first value.</summary>
    PropertyInitialValueSet = 24,

    /// <summary>A property is read that has no value.</summary>
    UninitializedPropertyRead = 25,

    /// <summary>An environment variable is read.</summary>
    EnvironmentVariableRead = 26,

    /// <summary>MSBuild has made a project of a solution.</summary>
    MetaprojectGenerated = 27,

    /// <summary>A project begins to build.</summary>
    ProjectStarted = 30,

    /// <summary>A project has been built, or has failed.</summary>
    ProjectFinished = 31,

    /// <summary>A target begins.</summary>
    TargetStarted = 32,

    /// <summary>A target has ended.</summary>
    TargetFinished = 33,

    /// <summary>A target was not run, and why.</summary>
    TargetSkipped = 34,

    /// <summary>A task begins.</summary>
    TaskStarted = 35,

    /// <summary>A task has ended.</summary>
    TaskFinished = 36,

    /// <summary>What goes into a task or comes out of it; items added or removed by a target.</summary>
    TaskParameter = 37,

    /// <summary>The command line of a tool.</summary>
    TaskCommandLine = 38,

    /// <summary>A project of another build system begins.</summary>
    ExternalProjectStarted = 39,

    /// <summary>A project of another build system has ended.</summary>
    ExternalProjectFinished = 40,

    /// <summary>An assembly was loaded.</summary>
    AssemblyLoad = 41,

    /// <summary>A response file was used.</summary>
    ResponseFileUsed = 42,

    /// <summary>A measurement for telemetry.</summary>
    Telemetry = 43,

    /// <summary>A message with fields of its own.</summary>
    ExtendedMessage = 50,

    /// <summary>A critical message with fields of its own.</summary>
    ExtendedCriticalMessage = 51,

    /// <summary>A warning with fields of its own.</summary>
    ExtendedWarning = 52,

    /// <summary>An error with fields of its own.</summary>
    ExtendedError = 53,

    /// <summary>An event of a task's own, with fields of its own.</summary>
    ExtendedCustom = 54,
}
