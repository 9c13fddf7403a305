using System;
using System.Collections.Generic;
using System.CommandLine;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using Transport.MSBuild;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>The command <c>export</c>.</summary>
internal sealed class ExportCommand
{
    /// <summary>What the exit codes mean, for the help.</summary>
    public const string ExitCodes = "0 all made; 2 bad usage, no journal, or no such build; 3 the journal cannot be read, or one of the "
        + "outputs could not be made or delivered: the others were.";

    /// <summary>More processes than a script of builds has; each takes a pass over the journal.</summary>
    private const int MostBinaryLogs = 64;

    /// <summary>How long spans may take: a build must not wait for its telemetry.</summary>
    private static readonly TimeSpan MostTime = TimeSpan.FromSeconds(2);

    private readonly Argument<string?> _directory = new("DIR")
    {
        Description = "The journal's folder; by default that of this user's newest build.", Arity = ArgumentArity.ZeroOrOne,
    };

    private readonly Option<string?> _binaryLog = new("--binlog")
    {
        Description = "Writes a binary log of MSBuild (.binlog): dotnet msbuild and the structured log viewer open it.",
    };

    private readonly Option<bool> _projectFiles = new("--project-files")
    {
        Description = "Puts the project files and imports into the binary log, as MSBuild does by itself: as they are on this machine now. "
            + "Secrets that stand in them are not masked.",
    };

    private readonly Option<string?> _trace = new("--trace")
    {
        Description = "Writes a trace for Perfetto (ui.perfetto.dev): by node projects, targets, tasks, who asked for whom, critical path.",
    };

    private readonly Option<string?> _html = new("--html")
    {
        Description = "Writes a page: timeline by node, critical path, slowest projects, targets and tasks, errors and warnings, search. "
            + "It asks no other machine for anything.",
    };

    private readonly Option<string?> _otlp = new("--otlp")
    {
        Description = "Sends spans of the build, its projects and targets to this address (OTLP over HTTP, as http://localhost:4318), as "
            + "children of TRACEPARENT; takes at most 2 s.",
    };

    private readonly Option<bool> _gitHub = new("--github")
    {
        Description = "Prints warnings and errors as annotations of GitHub Actions, a group for each project.",
    };

    private readonly Option<string?> _build = BuildChoice.Option();
    private readonly Option<bool> _azure = new("--azure") { Description = "Prints them as logging commands of Azure Pipelines." };

    /// <summary>Initializes a new instance of the <see cref="ExportCommand"/> class.</summary>
    public ExportCommand() => Command = new Command("export", "Makes other forms of a build that collect, or buildharness build --journal, "
        + "has kept; also of one that was killed.")
    {
        _directory, _binaryLog, _projectFiles, _html, _trace, _otlp, _gitHub, _azure, _build,
    };

    /// <summary>Gets the command.</summary>
    public Command Command { get; }

    /// <summary>Runs it.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="report">Writes a line to stderr.</param>
    /// <returns>The exit code.</returns>
    /// <exception cref="ToolException">The journal cannot be read, or a file cannot be written.</exception>
    public async Task<int> RunAsync(ParseResult parsed, Action<string> report)
    {
        string? directory = parsed.GetValue(_directory);
        string? binaryLog = parsed.GetValue(_binaryLog), trace = parsed.GetValue(_trace), otlp = parsed.GetValue(_otlp);
        bool gitHub = parsed.GetValue(_gitHub), azure = parsed.GetValue(_azure);
        Uri? endpoint = otlp is null ? null : OtlpExport.Endpoint(otlp);
        string? html = parsed.GetValue(_html);
        bool needsModel = html is not null || trace is not null || otlp is not null || gitHub || azure;
        if (binaryLog is null && !needsModel)
        {
            throw new ToolException(
                "export: name what to make: --binlog FILE, --html FILE, --trace FILE, --otlp URL, --github or --azure (see --help).",
                ToolExitCodes.BadUsage);
        }

        bool projectFiles = parsed.GetValue(_projectFiles);
        if (projectFiles && binaryLog is null)
        {
            throw new ToolException("export: --project-files needs --binlog FILE, whose file they are put into.", ToolExitCodes.BadUsage);
        }

        BuildChoice choice = BuildChoice.Of(parsed.GetValue(_build));

        // A journal that is none is one mistake, not one of each output; so is a build that is not in it.
        IReadOnlyList<IReadOnlyList<string>> builds = BuildLog.ProcessesOf(directory);
        using BuildLog build = BuildLog.Open(directory, choice, builds.Count);
        int failed = 0;
        if (binaryLog is not null)
        {
            await TryAsync(binaryLog, () =>
            {
                WriteBinaryLogs(build.Directory, choice, builds, binaryLog, projectFiles, report);
                return Task.FromResult(binaryLog);
            }).ConfigureAwait(false);
        }

        if (!needsModel)
        {
            return ExitCode();
        }

        BuildModel? model = null;
        await TryAsync("the build", () => Task.FromResult(model = BuildModel.Of(build))).ConfigureAwait(false);
        if (model is null)
        {
            return ExitCode();
        }

        if (html is not null)
        {
            await TryAsync(html, () =>
            {
                long bytes = HtmlExport.Write(model, html);
                report(string.Create(CultureInfo.InvariantCulture, $"{html}: {bytes / 1e6:0.0} MB of {build.Directory}{Rest(build)}"));
                return Task.FromResult(model);
            }).ConfigureAwait(false);
        }

        if (trace is not null)
        {
            await TryAsync(trace, () =>
            {
                long spans = TraceExport.Write(model, trace);
                report(string.Create(CultureInfo.InvariantCulture, $"{trace}: {spans:N0} spans of {build.Directory}{Rest(build)}"));
                return Task.FromResult(model);
            }).ConfigureAwait(false);
        }

        string root = Environment.GetEnvironmentVariable("GITHUB_WORKSPACE") ?? Environment.GetEnvironmentVariable("BUILD_SOURCESDIRECTORY")
            ?? Directory.GetCurrentDirectory();
        await TryAsync("annotations", () =>
        {
            Print((gitHub ? Annotations.GitHub(model, root) : []).Concat(azure ? Annotations.Azure(model, root) : []));
            return Task.FromResult(model);
        }).ConfigureAwait(false);
        if (endpoint is not null)
        {
            await TryAsync(OtlpExport.Shown(endpoint), async () =>
            {
                failed += await SendAsync(model, endpoint, report).ConfigureAwait(false) ? 0 : 1;
                return model;
            }).ConfigureAwait(false);
        }

        return ExitCode();

        int ExitCode() => failed == 0 ? ToolExitCodes.Success : ToolExitCodes.Fault;

        // Each output stands alone: what MSBuild's own logger, or anything else, throws at one of them leaves the others.
        async Task TryAsync<T>(string what, Func<Task<T>> make)
        {
            try
            {
                _ = await make().ConfigureAwait(false);
            }
            catch (ToolException e) when (e.ExitCode != ToolExitCodes.BadUsage)
            {
                failed++;
                report($"export: {e.Message}");
            }
#pragma warning disable CA1031 // see above
            catch (Exception e) when (e is not ToolException)
#pragma warning restore CA1031
            {
                failed++;
                report($"export: {what} was not made: {e.GetType().Name}: {e.Message}");
            }
        }
    }

    /// <summary>Writes a binary log for each MSBuild process: ids, and what begins and ends, are a process's own. The workers of a harness
    /// are one build together.</summary>
    private static void WriteBinaryLogs(string directory, BuildChoice choice, IReadOnlyList<IReadOnlyList<string>> builds, string path,
        bool hasProjectFiles, Action<string> report)
    {
        (int Build, string? Process)[] logs = [.. builds.SelectMany((processes, index) =>
                processes.All(BuildUnits.IsCollected) ? processes.Select(one => (Build: index + 1, Process: (string?)one))
                    : [(Build: index + 1, Process: null)])
            .Where(one => choice.IsAll || one.Build == (choice.Number ?? builds.Count))];
        if (logs.Length > MostBinaryLogs)
        {
            throw new ToolException($"{path}: each MSBuild process gets a log of its own; expected at most {MostBinaryLogs} of them, "
                + $"there are {logs.Length:N0}.", ToolExitCodes.Fault);
        }

        for (int i = 0; i < Math.Max(1, logs.Length); i++)
        {
            (int build, string? process) = logs.Length == 0 ? (1, null) : logs[i];
            string file = logs.Length <= 1 ? path
                : Path.ChangeExtension(path, string.Create(CultureInfo.InvariantCulture, $".{i + 1}{Path.GetExtension(path)}"));
            using BuildLog log = BuildLog.Open(directory, new BuildChoice(build, false), builds.Count, process);
            ProjectFiles? files = hasProjectFiles ? new ProjectFiles() : null;
            (long events, int count) = BinaryLogExport.Write(log, file, files);
            string copies = files is null ? string.Empty : Copies(files, count);
            report(string.Create(CultureInfo.InvariantCulture, $"{file}: {events:N0} events of {log.Directory}{copies}{Rest(log)}"));
        }
    }

    private static string Copies(ProjectFiles files, int count)
    {
        return string.Create(CultureInfo.InvariantCulture, $"; {count:N0} project files, unmasked")
            + Some(files.Changed, "changed since the build") + Some(files.Missing, "no longer there");

        static string Some(IReadOnlyList<string> those, string what) => those.Count == 0 ? string.Empty : string.Create(
            CultureInfo.InvariantCulture, $"; {those.Count:N0} {what}: {those[0]}{(those.Count > 1 ? ", …" : string.Empty)}");
    }

    private static async Task<bool> SendAsync(BuildModel model, Uri endpoint, Action<string> report)
    {
        var spans = new OtlpSpans(model, Environment.GetEnvironmentVariable("TRACEPARENT"));
        var sender = new OtlpExport(endpoint, MostTime);
        long delivered = await sender.SendAsync(spans).ConfigureAwait(false);
        string lost = delivered == spans.Count ? string.Empty : string.Create(
            CultureInfo.InvariantCulture, $"; {spans.Count - delivered:N0} were not delivered: {sender.Fault}");
        report(string.Create(
            CultureInfo.InvariantCulture, $"{OtlpExport.Shown(endpoint)}: {delivered:N0} of {spans.Count:N0} spans{lost}"));
        return delivered == spans.Count;
    }

    private static void Print(IEnumerable<string> lines)
    {
        using Stream stdout = Console.OpenStandardOutput();
        try
        {
            foreach (string line in lines)
            {
                stdout.Write(Encoding.UTF8.GetBytes(line + "\n"));
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ToolException($"stdout cannot be written: {e.Message}", ToolExitCodes.Fault);
        }
    }

    private static string Rest(BuildLog log) => log.Remark is { } remark ? $"; {remark}" : string.Empty;
}
