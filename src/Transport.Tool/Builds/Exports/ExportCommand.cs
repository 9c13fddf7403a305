using System;
using System.Collections.Generic;
using System.CommandLine;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading.Tasks;

namespace Transport.Tool;

/// <summary>The command <c>export</c>.</summary>
internal sealed class ExportCommand
{
    /// <summary>What the exit codes mean, for the help.</summary>
    public const string ExitCodes = "0 made; 2 bad usage, or no journal; 3 the journal cannot be read, a file cannot be written, or "
        + "spans were not delivered.";

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

    private readonly Option<bool> _azure = new("--azure") { Description = "Prints them as logging commands of Azure Pipelines." };

    /// <summary>Initializes a new instance of the <see cref="ExportCommand"/> class.</summary>
    public ExportCommand() => Command = new Command("export", "Makes other forms of a build that collect, or buildharness build --journal, "
        + "has kept; also of one that was killed.") { _directory, _binaryLog, _html, _trace, _otlp, _gitHub, _azure };

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

        if (binaryLog is not null)
        {
            using BuildLog log = BuildLog.Open(directory, follow: false);
            long events = BinaryLogExport.Write(log, binaryLog);
            report(string.Create(CultureInfo.InvariantCulture, $"{binaryLog}: {events:N0} events of {log.Directory}{Rest(log)}"));
        }

        if (!needsModel)
        {
            return ToolExitCodes.Success;
        }

        using BuildLog build = BuildLog.Open(directory, follow: false);
        BuildModel model = BuildModel.Of(build);
        if (html is not null)
        {
            long bytes = HtmlExport.Write(model, html);
            report(string.Create(CultureInfo.InvariantCulture, $"{html}: {bytes / 1e6:0.0} MB of {build.Directory}{Rest(build)}"));
        }

        if (trace is not null)
        {
            long spans = TraceExport.Write(model, trace);
            report(string.Create(CultureInfo.InvariantCulture, $"{trace}: {spans:N0} spans of {build.Directory}{Rest(build)}"));
        }

        string root = Environment.GetEnvironmentVariable("GITHUB_WORKSPACE") ?? Environment.GetEnvironmentVariable("BUILD_SOURCESDIRECTORY")
            ?? Directory.GetCurrentDirectory();
        Print((gitHub ? Annotations.GitHub(model, root) : []).Concat(azure ? Annotations.Azure(model, root) : []));
        return endpoint is null || await SendAsync(model, endpoint, report).ConfigureAwait(false)
            ? ToolExitCodes.Success : ToolExitCodes.Fault;
    }

    private static async Task<bool> SendAsync(BuildModel model, Uri endpoint, Action<string> report)
    {
        var spans = new OtlpSpans(model, Environment.GetEnvironmentVariable("TRACEPARENT"));
        var sender = new OtlpExport(endpoint, MostTime);
        long delivered = await sender.SendAsync(spans).ConfigureAwait(false);
        string lost = delivered == spans.Count ? string.Empty : string.Create(
            CultureInfo.InvariantCulture, $"; {spans.Count - delivered:N0} were not delivered: {sender.Fault}");
        report(string.Create(CultureInfo.InvariantCulture, $"{endpoint}: {delivered:N0} of {spans.Count:N0} spans{lost}"));
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
