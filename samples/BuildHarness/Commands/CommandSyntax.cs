using System;
using System.CommandLine;
using System.Globalization;
using System.Linq;
using BuildHarness.Display;
using BuildHarness.Journaling;
using Transport;
using Transport.MSBuild;

namespace BuildHarness.Commands;

/// <summary>The commands and options there are.</summary>
internal sealed class CommandSyntax
{
    /// <summary>The most worker processes of one run.</summary>
    public const int MostNodes = 256;

    private readonly Argument<string> _path = new("PATH")
    {
        Description = "The .sln, .slnx, .slnf or project file to build, or a folder with one; the current folder.",
        Arity = ArgumentArity.ZeroOrOne,
    };
    private readonly Argument<string> _file = new("FILE") { Description = "The binary log to replay, or the directory of a journal." };
    private readonly Argument<string[]> _program = new("CMD")
    {
        Description = "The program and its arguments, after --.", Arity = ArgumentArity.OneOrMore,
    };
    private readonly Option<int> _nodes = new("--nodes", "-m")
    {
        Description = $"How many worker processes, 1 to {MostNodes}; as many as there are cores.",
        DefaultValueFactory = _ => Math.Min(MostNodes, Environment.ProcessorCount),
    };
    private readonly Option<string?> _configuration = new("--configuration", "-c")
    {
        Description = "The configuration to build, in place of each project's own default, which is nearly always Debug.",
    };
    private readonly Option<string[]> _properties = new("-p", "--property")
    {
        Description = "-p:NAME=VALUE: a global property; may be given again. Several are separated by ; and a value with ; needs quotes, "
            + "as for dotnet build.",
        Arity = ArgumentArity.ZeroOrMore,
    };

    // Both are taken off the command line before it is parsed (MSBuildSwitches), and stand here for the help.
    private readonly Option<string[]> _targets = new("-t", "--target")
    {
        Description = "-t:NAME: the target to build in place of the default: Build, Rebuild, Clean, Pack, Publish or another; of a "
            + "solution also -t:PROJECT or -t:PROJECT:NAME.",
        Arity = ArgumentArity.ZeroOrMore,
    };
    private readonly Option<bool> _warnAsError = new("-warnaserror")
    {
        Description = "Makes errors of warnings; -warnaserror:CODES of these, -nowarn:CODES and -warnnotaserror:CODES exempt some.",
    };
    private readonly Option<bool> _noRestore = new("--no-restore") { Description = "Do not restore packages before." };
    private readonly Option<string> _verbosity = new("-v", "--verbosity") { Description = "What stdout shows: quiet (diagnostics), "
        + "minimal (and finished projects), normal (and important messages), detailed, diagnostic (all "
        + "events).", DefaultValueFactory = _ => "minimal" };
    private readonly Option<string> _log = new("--log") { Description = "Writes every event as text to a file." };
    private readonly Option<string> _summary = new("--summary") { Description = "Writes what happened as JSON to a file." };
    private readonly Option<string> _trace = new("--trace")
    {
        Description = "Writes projects by node, link writes and queues on one time line, for chrome://tracing or Perfetto.",
    };
    private readonly Option<string> _collect = new("--collect-outputs") { Description = "Copies what is in each project's output folder "
        + "to DIR/PROJECT, whole or not at all. DIR must not exist, be empty, or be an earlier collection, which is "
        + "replaced.", HelpName = "DIR" };
    private readonly Option<string> _wire = new("--wire") { Description = "unix, pipe or inherited." };

    private readonly Option<double?> _stall = new("--stall-timeout") { Description = "Reports after how many seconds in which a worker "
        + "takes nothing, or the main node reads nothing from it; 0.2 to 86400, 10 by default." };
    private readonly Option<bool> _noTables = new("--no-tables") { Description = "Writes every packet out, in place of referring to texts, "
        + "properties and metadata that come again." };

    private readonly JournalSyntax _journal = new();

    public CommandSyntax()
    {
        _stall.Validators.Add(result =>
        {
            if (result.Tokens.Count == 1 && !(double.TryParse(result.Tokens[0].Value, NumberStyles.Float, CultureInfo.InvariantCulture,
                out double seconds) && seconds is >= 0.2 and <= 86_400))
            {
                result.AddError($"--stall-timeout {result.Tokens[0].Value}: expected 0.2 to 86400 seconds.");
            }
        });
        _wire.Validators.Add(result =>
        {
            if (result.Tokens.Count == 1 && result.Tokens[0].Value is not ("unix" or "pipe" or "inherited"))
            {
                result.AddError($"--wire {result.Tokens[0].Value}: expected unix, pipe or inherited.");
            }
        });
        _nodes.Validators.Add(result =>
        {
            if (result.Tokens.Count == 1 && (!int.TryParse(result.Tokens[0].Value, out int nodes) || nodes is < 1 or > MostNodes))
            {
                result.AddError($"--nodes {result.Tokens[0].Value}: expected 1 to {MostNodes}.");
            }
        });
        Build = new Command("build", "Builds a solution or project with worker processes that stream every build event.")
        {
            _path, _nodes, _configuration, _properties, _targets, _warnAsError, _noRestore, _verbosity, _log, _summary, _wire, _stall,
            _trace, _collect,
        };
        Farm.AddTo(Build);
        Run = new Command("run", "Starts one worker of any language and shows what it sends and writes.") { _program, _summary, _log, _wire,
            _stall };
        Replay = new Command("replay", "Lets workers send every event of a recorded build, or every packet of a journal, and compares "
            + "what arrives with what is recorded. Of a journal each recorded node gets a worker that sends its packets; with --nodes each "
            + "worker sends all of them.") { _file, _nodes, _noTables, _summary, _wire, _stall };
        Root = new RootCommand(
            "A parallel build over worker processes: every build event comes to the main node, not one is lost.") { Build, Farm.Agent, Run,
            Replay, Extract.Command };
        foreach (Command command in new[] { Build, Run, Replay })
        {
            _journal.AddTo(command);
        }
    }

    public RootCommand Root { get; }

    private Command Build { get; }

    private Command Run { get; }

    private Command Replay { get; }

    private ExtractSyntax Extract { get; } = new();

    private FarmSyntax Farm { get; } = new();

    /// <summary>What the process's exit code says, for the help of a command; null for the program's own.</summary>
    public string? ExitCodesOf(Command command) =>
        command == Build ? "0 all is built, and collected where that is asked for; 1 the build failed, or its outputs cannot be "
            + "collected; 2 bad usage, or no solution or project; 3 the harness itself or its journal failed (a full disk, no worker "
            + "starts); 129, 130, 143 after SIGHUP, SIGINT, SIGTERM."
        : command == Replay ? "0 all that arrived is equal to the file; 1 it is not, or a journal is damaged; 2 bad usage, or neither a "
            + "binary log nor a journal; 3 the harness itself or its journal failed; 129, 130, 143 after SIGHUP, SIGINT, SIGTERM."
        : command == Run ? "the program's own, 128 + N where signal N ended it; 2 bad usage; 125 the harness itself, its journal or the "
            + "link failed; 126 the program cannot be started; 127 there is none; 129, 130, 143 after SIGHUP, SIGINT, SIGTERM."
        : command == Extract.Command ? ExtractSyntax.ExitCodes
        : command == Farm.Agent ? FarmSyntax.ExitCodes
        : null;

    /// <returns>The options, or null with the mistake.</returns>
    public CommonOptions? Read(ParseResult parsed, MSBuildSwitches switches, out string? mistake)
    {
        mistake = null;
        Command command = parsed.CommandResult.Command;
        JournalSettings? journal = _journal.Settings(parsed, out mistake);
        if (mistake is not null)
        {
            return null;
        }

        if (command == Run)
        {
            string[] words = parsed.GetRequiredValue(_program);
            return new RunOptions { Program = words[0], Arguments = words[1..], Log = parsed.GetValue(_log),
                Summary = parsed.GetValue(_summary), Wire = WireOf(parsed), StallTimeout = StallOf(parsed), Journal = journal };
        }

        if (command == Replay)
        {
            return new ReplayOptions
            {
                File = parsed.GetRequiredValue(_file),
                Nodes = parsed.GetValue(_nodes),
                HasNodes = parsed.GetResult(_nodes) is { Implicit: false },
                UseTables = !parsed.GetValue(_noTables),
                Summary = parsed.GetValue(_summary),
                Wire = WireOf(parsed),
                StallTimeout = StallOf(parsed),
                Journal = journal,
            };
        }

        if (command == Extract.Command)
        {
            return Extract.Read(parsed);
        }

        if (command == Farm.Agent)
        {
            return Farm.Read(parsed);
        }

        if (command == Build)
        {
            return ReadBuild(parsed, switches, out mistake) is { } build ? build with { Journal = journal } : null;
        }

        throw new InvalidOperationException($"{command.Name} has no options.");
    }

    private WireKind? WireOf(ParseResult parsed) => parsed.GetValue(_wire) switch
    {
        null => null,
        "unix" => WireKind.UnixSocket,
        "inherited" => WireKind.Inherited,
        _ => WireKind.NamedPipe,
    };

    private TimeSpan? StallOf(ParseResult parsed) => parsed.GetValue(_stall) is { } seconds ? TimeSpan.FromSeconds(seconds) : null;

    private BuildOptions? ReadBuild(ParseResult parsed, MSBuildSwitches switches, out string? mistake)
    {
        string? word = parsed.GetValue(_verbosity);
        if (BuildEventText.VerbosityOf(word) is not { } verbosity)
        {
            mistake = $"-v {word}: expected quiet, minimal, normal, detailed or diagnostic (q, m, n, d, diag).";
            return null;
        }

        foreach (string property in parsed.GetValue(_properties) ?? [])
        {
            mistake = switches.AddProperties("-p " + property, property);
            if (mistake is not null)
            {
                return null;
            }
        }

        var build = new BuildOptions
        {
            Path = parsed.GetValue(_path) ?? ".",
            Nodes = parsed.GetValue(_nodes),
            Configuration = parsed.GetValue(_configuration),
            Properties = switches.Properties,
            Targets = switches.Targets,
            Severities = switches.Severities,
            Restore = !parsed.GetValue(_noRestore),
            Verbosity = verbosity,
            Log = parsed.GetValue(_log),
            Trace = parsed.GetValue(_trace),
            CollectOutputs = parsed.GetValue(_collect),
            Summary = parsed.GetValue(_summary),
            Wire = WireOf(parsed),
            StallTimeout = StallOf(parsed),
        };
        build = Farm.Read(parsed, build, hasNodes: parsed.GetResult(_nodes) is { Implicit: false }, out mistake);
        return mistake is null ? build : null;
    }
}
