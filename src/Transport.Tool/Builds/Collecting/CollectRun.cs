using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Transport.Journal;
using Transport.MSBuild;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>One run of <c>collect</c>: journal, collector and build, and what is said at the end.</summary>
/// <param name="options">What to do.</param>
/// <param name="report">Writes a line to stderr.</param>
internal sealed class CollectRun(CollectOptions options, Action<string> report)
{
    private const string LoggerAssembly = "Transport.MSBuild.Logger.dll";

    /// <summary>Tells loggers of the build that name no collector, in a response file say, that it has one (docs/reference/build-logger.md).
    /// </summary>
    private const string CollectedVariable = "TRANSPORT_COLLECTED";

    private static readonly string LoggerPath = Path.Combine(AppContext.BaseDirectory, LoggerAssembly);

    private static readonly (string Name, string Value)[] Details =
        [("MSBUILDLOGTASKINPUTS", "1"), ("MSBUILDLOGIMPORTS", "1"), ("MSBUILDTARGETOUTPUTLOGGING", "true")];

    /// <returns>The exit code of the build.</returns>
    /// <exception cref="ToolException">The command or the journal cannot be used; nothing was started.</exception>
    public async Task<int> RunAsync()
    {
        string here = Directory.GetCurrentDirectory();
        if (options.Command.Count > 0)
        {
            _ = BuildCommandLine.With([.. options.Command], LoggerAssembly, here);   // a mistake is reported before anything is made
        }

        using PacketJournal? journal = OpenJournal();
        var events = new KeptEvents(journal, options.IsRequired, failure => report(
            $"collect: {failure.Message} {(options.IsRequired ? "The build fails." : "The build goes on; its further events are not kept.")}"));
        IReadOnlyList<CollectedBuild> builds = [];
        int exitCode;
        BuildCollector? collector = TryStart(events, journal?.Directory);
        try
        {
            exitCode = await BuildAsync(collector?.ConnectionFile, here).ConfigureAwait(false);
        }
        finally
        {
            builds = collector is null ? [] : await collector.CloseAsync().ConfigureAwait(false);
        }

        await CloseAsync(journal, events).ConfigureAwait(false);
        foreach (string line in Summary(builds, events, journal?.Directory))
        {
            report(line);
        }

        return exitCode == ToolExitCodes.Success && options.IsRequired && !IsWhole(builds, events) ? ToolExitCodes.Fault : exitCode;
    }

    /// <summary>Whether every event of a build is known to be in the journal.</summary>
    private static bool IsWhole(IReadOnlyList<CollectedBuild> builds, KeptEvents events) => builds.Count > 0 && events.Kept == events.Taken
        && builds.All(build => build.End is { IsClean: true, Receipt.PeerDropped: 0, Receipt.PeerRefused: 0 });

    private async Task<int> BuildAsync(string? connection, string here)
    {
        string[] command = [.. options.Command];
        if (command.Length == 0)
        {
            return connection is null ? ToolExitCodes.Fault : await ListenAsync().ConfigureAwait(false);
        }

        IReadOnlyList<string[]> steps = connection is null ? [command]
            : BuildCommandLine.With(command, LoggerWith(connection), here);
        using var child = new BuildProcess();
        int exitCode = 0;
        foreach (string[] step in steps)
        {
            IEnumerable<(string Name, string Value)> more = options.IsDetailed ? Details : [];
            exitCode = await child.RunAsync(step, connection is null ? more : more.Append((CollectedVariable, "1"))).ConfigureAwait(false);
            if (exitCode != 0)
            {
                break;
            }
        }

        return exitCode;
    }

    /// <summary>Waits for builds that others start, until a signal.</summary>
    private async Task<int> ListenAsync()
    {
        using var interrupt = new Interrupt();
        report($"collect: waiting for builds with -logger:TransportLogger,{LoggerPath}; Ctrl+C ends it.");
        await Task.Delay(Timeout.Infinite, interrupt.Token).ContinueWith(static _ => { }, TaskScheduler.Default).ConfigureAwait(false);
        return ToolExitCodes.Success;
    }

    private string LoggerWith(string connection)
    {
        var logger = new StringBuilder("TransportLogger,").Append(LoggerPath)
            .Append(";connect=").Append(connection);
        _ = options.IsRequired ? logger.Append(";required=true") : logger;
        _ = options.IsMasking ? logger : logger.Append(";mask=false");
        _ = options.Secrets.Count > 0 ? logger.Append(";secrets=").AppendJoin(',', options.Secrets) : logger;
        _ = options.Public.Count > 0 ? logger.Append(";public=").AppendJoin(',', options.Public) : logger;
        return logger.ToString();
    }

    /// <returns>The journal; null if the default one cannot be made: the build matters more.</returns>
    private PacketJournal? OpenJournal()
    {
        var settings = new JournalOptions { Sync = JournalSync.None, MaxPacketBytes = new LinkOptions().MaxPacketBytes };
        try
        {
            var journal = PacketJournal.Open(options.Journal ?? BuildJournals.NewFolder(TimeProvider.System), settings);
            if (journal.Recovery.Line is { } line)
            {
                report($"collect: {line}");
            }

            if (journal.Appended > 0 && !options.Appends)
            {
                string held = string.Create(CultureInfo.InvariantCulture, $"{journal.Appended:N0} packets of an earlier build");
                journal.Dispose();
                throw new ToolException($"collect: {options.Journal} holds {held}: name a new folder, or add this build to it with --append.",
                    ToolExitCodes.BadUsage);
            }

            return journal;
        }
        catch (JournalException e) when (options.Journal is { } named)
        {
            ToolException fault = JournalFaults.Of(named, e);
            throw new ToolException(
                $"collect: {fault.Message}", e.Fault == JournalFault.NotAJournal ? fault.ExitCode : ToolExitCodes.Fault);
        }
        catch (ArgumentException e)
        {
            throw new ToolException($"collect: --journal: {e.Message}", ToolExitCodes.BadUsage);
        }
        catch (Exception e) when (e is JournalException or IOException or UnauthorizedAccessException)
        {
            report($"collect: no journal can be kept ({e.Message}); the build goes on without. Name a folder for one with --journal DIR.");
            return null;
        }
    }

    private BuildCollector? TryStart(KeptEvents events, string? journal)
    {
        try
        {
            // Nobody decodes an event: the journal takes it as it is.
            return BuildCollector.Start(
                node => new PacketRouter().UseStore(events.StoreOf(node)).OnUnknown(static _ => { }),
                new BuildCollectorOptions
                {
                    Journal = journal, IsForOneCommand = options.Command.Count > 0, Report = line => report($"collect: {line}"),
                });
        }
        catch (Exception e) when (e is TransportException or IOException or UnauthorizedAccessException && !options.IsRequired)
        {
            report($"collect: {e.Message} The build goes on, and its events are not collected.");
            return null;
        }
    }

    private static async Task CloseAsync(PacketJournal? journal, KeptEvents events)
    {
        try
        {
            if (journal is not null)
            {
                await journal.CloseAsync().ConfigureAwait(false);
                events.Closed();
            }
        }
        catch (JournalException e)
        {
            events.Fail(e);
        }
    }

    private static IEnumerable<string> Summary(IReadOnlyList<CollectedBuild> builds, KeptEvents events, string? journal)
    {
        if (builds.Count == 0)
        {
            yield return "collect: no build has connected; its output says why, if it ran one.";
            yield break;
        }

        string where = journal is null ? string.Empty : $" in {journal}";
        yield return string.Create(CultureInfo.InvariantCulture, $"collect: {events.Kept:N0} events{where}.");
        if (events.Taken > events.Kept)
        {
            yield return string.Create(
                CultureInfo.InvariantCulture, $"collect: {events.Taken - events.Kept:N0} events arrived and are not known to be kept.");
        }

        foreach (CollectedBuild build in builds.Where(one => one.End.Receipt.PeerDropped + one.End.Receipt.PeerRefused > 0 || !one.End.IsClean))
        {
            long dropped = build.End.Receipt.PeerDropped + build.End.Receipt.PeerRefused;
            string lost = dropped > 0 ? string.Create(CultureInfo.InvariantCulture, $" {dropped:N0} events were not sent:") : string.Empty;
            yield return $"collect: {build.Node}:{lost} {(build.End.IsClean ? "this side was too slow." : build.End.ToString())}";
        }
    }
}
