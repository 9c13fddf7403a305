using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using BuildHarness.Packets;
using Microsoft.Build.Framework;

namespace BuildHarness.Worker.Tasks;

/// <summary>The engine as <see cref="MSBuild"/> sees it: projects that it wants built are asked for at the main node. While the task waits
/// it yields, so that the worker builds something else. All else goes on to the engine.</summary>
/// <param name="engine">The engine that runs the task.</param>
/// <param name="task">The task.</param>
internal sealed class AskingEngine(IBuildEngine10 engine, MSBuild task) : IBuildEngine10
{
    private static readonly StringComparer Names = StringComparer.OrdinalIgnoreCase;

    public bool ContinueOnError => engine.ContinueOnError;

    public int LineNumberOfTaskNode => engine.LineNumberOfTaskNode;

    public int ColumnNumberOfTaskNode => engine.ColumnNumberOfTaskNode;

    public string ProjectFileOfTaskNode => engine.ProjectFileOfTaskNode;

    /// <summary>Gets true: the task then names all its projects at once.</summary>
    public bool IsRunningMultipleNodes => true;

    public bool AllowFailureWithoutError
    {
        get => engine.AllowFailureWithoutError;
        set => engine.AllowFailureWithoutError = value;
    }

    public EngineServices EngineServices => engine.EngineServices;

    public BuildEngineResult BuildProjectFilesInParallel(
        string[] projectFileNames, string[] targetNames, IDictionary[]? globalProperties, IList<string>[]? removeGlobalProperties,
        string[]? toolsVersion, bool returnTargetOutputs)
    {
        var who = WhoAsks.Of(engine);
        IReadOnlyDictionary<string, string> own = engine.GetGlobalProperties();

        // Full paths before the task yields: the current folder is then another's.
        ProjectWork[] work = [.. projectFileNames.Select((file, i) => new ProjectWork(
            Path.GetFullPath(file), PropertiesOf(own, removeGlobalProperties?[i], globalProperties?[i]), targetNames ?? [], toolsVersion?[i],
            task.SkipNonexistentTargets))];
        WorkResult[] results;
        engine.Yield();
        try
        {
            results = who.Questions!.Ask(who.BuildEventContext!.SubmissionId, work);
        }
        finally
        {
            engine.Reacquire();
        }

        return new BuildEngineResult(Array.TrueForAll(results, one => one.Succeeded), [.. results.Select(Outputs)]);
    }

    public bool BuildProjectFilesInParallel(
        string[] projectFileNames, string[] targetNames, IDictionary[] globalProperties, IDictionary[] targetOutputsPerProject,
        string[] toolsVersion, bool useResultsCache, bool unloadProjectsOnCompletion) => engine.BuildProjectFilesInParallel(
            projectFileNames, targetNames, globalProperties, targetOutputsPerProject, toolsVersion, useResultsCache,
            unloadProjectsOnCompletion);

    public bool BuildProjectFile(
        string projectFileName, string[] targetNames, IDictionary globalProperties, IDictionary targetOutputs, string toolsVersion) =>
        engine.BuildProjectFile(projectFileName, targetNames, globalProperties, targetOutputs, toolsVersion);

    public bool BuildProjectFile(string projectFileName, string[] targetNames, IDictionary globalProperties, IDictionary targetOutputs) =>
        engine.BuildProjectFile(projectFileName, targetNames, globalProperties, targetOutputs);

    public void Yield() => engine.Yield();

    public void Reacquire() => engine.Reacquire();

    public void LogErrorEvent(BuildErrorEventArgs e) => engine.LogErrorEvent(e);

    public void LogWarningEvent(BuildWarningEventArgs e) => engine.LogWarningEvent(e);

    public void LogMessageEvent(BuildMessageEventArgs e) => engine.LogMessageEvent(e);

    public void LogCustomEvent(CustomBuildEventArgs e) => engine.LogCustomEvent(e);

    public void LogTelemetry(string eventName, IDictionary<string, string> properties) => engine.LogTelemetry(eventName, properties);

    public void RegisterTaskObject(object key, object obj, RegisteredTaskObjectLifetime lifetime, bool allowEarlyCollection) =>
        engine.RegisterTaskObject(key, obj, lifetime, allowEarlyCollection);

    public object GetRegisteredTaskObject(object key, RegisteredTaskObjectLifetime lifetime) =>
        engine.GetRegisteredTaskObject(key, lifetime);

    public object UnregisterTaskObject(object key, RegisteredTaskObjectLifetime lifetime) => engine.UnregisterTaskObject(key, lifetime);

    public IReadOnlyDictionary<string, string> GetGlobalProperties() => engine.GetGlobalProperties();

    public bool ShouldTreatWarningAsError(string warningCode) => engine.ShouldTreatWarningAsError(warningCode);

    public int RequestCores(int requestedCores) => engine.RequestCores(requestedCores);

    public void ReleaseCores(int coresToRelease) => engine.ReleaseCores(coresToRelease);

    /// <summary>The asking project's own global properties, with those that the task sets, without those that it removes.</summary>
    private static KeyValuePair<string, string>[] PropertiesOf(
        IReadOnlyDictionary<string, string> own, IList<string>? removed, IDictionary? set)
    {
        var all = new Dictionary<string, string>(own, Names);
        foreach (DictionaryEntry one in set ?? new Dictionary<string, string>())
        {
            all[(string)one.Key] = (string?)one.Value ?? string.Empty;
        }

        // What is in both is gone, as with MSBuild's own task.
        foreach (string name in removed ?? [])
        {
            all.Remove(name);
        }

        SolutionOverride.TakeBack(all);
        return [.. all];
    }

    private static Dictionary<string, ITaskItem[]> Outputs(WorkResult result) => result.Targets.Where(target => target.Succeeded)
        .ToDictionary(target => target.Name, target => target.Items.Select(ItemPackets.Read).ToArray(), Names);
}
