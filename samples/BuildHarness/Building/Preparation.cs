using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Commands;
using BuildHarness.Planning;
using Microsoft.Build.Exceptions;
using Microsoft.Build.Graph;
using Transport.MSBuild;

namespace BuildHarness.Building;

/// <summary>Reads the graph of a solution or project, as <see cref="BuildGraph.Read"/> does.</summary>
internal delegate BuildPlan GraphReader(
    string path, IReadOnlyDictionary<string, string> properties, IReadOnlyList<string> targets, CancellationToken cancellationToken);

/// <summary>
/// Restore and graph, side by side: the graph is read while the restore still runs, and once more only if the restore has written
/// something that projects import. That saves the whole reading if nothing is to be restored.
/// </summary>
/// <param name="options">What to build.</param>
/// <param name="dotnet">The program that restores.</param>
/// <param name="feed">Takes diagnostics.</param>
/// <param name="say">Takes other lines.</param>
/// <param name="clock">The time of files.</param>
/// <param name="read">Reads the graph.</param>
internal sealed class Preparation(
    BuildOptions options, string dotnet, EventFeed feed, Action<string> say, TimeProvider clock, GraphReader read)
{
    /// <summary>XML that cannot be read, or is no project: MSBuild's codes for a file that is not what its name says.</summary>
    private static readonly HashSet<string> NoProject = new(StringComparer.Ordinal) { "MSB4025", "MSB4068", "MSB4067", "MSB4078" };

    /// <summary>Restores and reads.</summary>
    /// <returns>The plan, and whether building may begin; the plan may be null if it may not.</returns>
    /// <exception cref="HarnessException">The path is no solution or project.</exception>
    public async Task<(BuildPlan? Plan, bool Valid)> RunAsync(CancellationToken cancellation)
    {
        if (!options.Restore)
        {
            return Report(await TryReadAsync(cancellation).ConfigureAwait(false));
        }

        // File times of some systems are whole seconds.
        DateTime started = clock.GetUtcNow().UtcDateTime.AddSeconds(-1);
        using var giveUp = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        Task<bool> restore = new RestoreStep(options, dotnet, feed, say).RunAsync(giveUp.Token);
        BuildPlan? plan;
        Exception? fault;
        bool isRestored = false;
        try
        {
            (plan, fault) = await TryReadAsync(cancellation).ConfigureAwait(false);
            if (fault is HarnessException)
            {
                throw fault;
            }

            isRestored = await restore.ConfigureAwait(false);
        }
        finally
        {
            // Whatever ended the reading: no restore goes on behind a build that has ended.
            await giveUp.CancelAsync().ConfigureAwait(false);
            await ((Task)restore).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        if (!isRestored)
        {
            return (plan, false);
        }

        bool current = plan is not null && !plan.RestoreOutputs.Any(file => File.GetLastWriteTimeUtc(file) >= started);
        return current ? Report((plan, null)) : Report(await TryReadAsync(cancellation).ConfigureAwait(false));
    }

    private static string Path(BuildOptions options) => System.IO.Path.GetFullPath(options.Path);

    private (BuildPlan? Plan, bool Valid) Report((BuildPlan? Plan, Exception? Fault) result)
    {
        switch (result.Fault)
        {
            case null:
                foreach (string warning in result.Plan!.Warnings)
                {
                    feed.Diagnostic("graph", warning, isError: false);
                }

                return (result.Plan, true);
            case HarnessException:
                throw result.Fault;
            case InvalidProjectFileException invalid:
                string code = invalid.ErrorCode is { Length: > 0 } known ? " " + known : string.Empty;
                string place = invalid.LineNumber > 0 ? $"({invalid.LineNumber},{invalid.ColumnNumber})" : " ";
                feed.Diagnostic("graph", $"{invalid.ProjectFile}{place}: error{code}: {invalid.BaseMessage}", isError: true);
                return (null, false);
            default:
                string what = result.Fault is CircularDependencyException or IOException or UnauthorizedAccessException ? result.Fault.Message
                    : $"MSBuild could not read the project graph, {result.Fault.GetType().Name}: {OneSentence(result.Fault.Message)}";
                feed.Diagnostic("graph", $"{Path(options)} : error: {what}", isError: true);
                return (null, false);
        }
    }

    private async Task<(BuildPlan? Plan, Exception? Fault)> TryReadAsync(CancellationToken cancellation)
    {
        try
        {
            return (await Task.Run(() => read(Path(options), options.GlobalProperties(), options.Targets, cancellation), cancellation)
                .ConfigureAwait(false), null);
        }
        catch (AggregateException e) when (cancellation.IsCancellationRequested)
        {
            // MSBuild evaluates on several threads and reports a cancellation as a heap of exceptions.
            throw new OperationCanceledException(e.Message, e, cancellation);
        }
        catch (Exception e) when (Find(e) is { } cause)
        {
            return (null, cause is InvalidProjectFileException invalid && IsNoProject(invalid)
                ? new HarnessException(
                    $"{options.Path} is no solution or project that MSBuild can read: {OneSentence(invalid.BaseMessage)}",
                    ExitCodes.BadUsage)
                : cause);
        }
    }

    private bool IsNoProject(InvalidProjectFileException invalid) =>
        string.Equals(invalid.ProjectFile, Path(options), StringComparison.Ordinal)
        && invalid.ErrorCode != "MSB4006" // a circle of projects that are fine by themselves
        && (BuildGraph.IsSolution(options.Path) || NoProject.Contains(invalid.ErrorCode ?? string.Empty));

    /// <summary>For a broken .slnx MSBuild's message goes on with a stack trace.</summary>
    private static string OneSentence(string text) => text.ReplaceLineEndings("\n").Split('\n')[0].TrimEnd();

    /// <summary>What a person can act on inside of what was thrown, or else the first of it: whatever MSBuild throws is reported as its own,
    /// with the project. Null for a cancellation.</summary>
    private static Exception? Find(Exception e)
    {
        IReadOnlyList<Exception> all = e is AggregateException many ? many.Flatten().InnerExceptions : [e];
        return all.FirstOrDefault(one => one is InvalidProjectFileException or CircularDependencyException or IOException
                or UnauthorizedAccessException)
            ?? all.FirstOrDefault(one => one is not (OperationCanceledException or HarnessException));
    }
}
