using System;
using System.CommandLine;
using System.Globalization;
using BuildHarness.Farm;

namespace BuildHarness.Commands;

/// <summary>The options of <c>agent</c>, and those of <c>build</c> that name a farm.</summary>
internal sealed class FarmSyntax
{
    /// <summary>What the process's exit code says.</summary>
    public const string ExitCodes = "2 bad usage; 3 no server can be used, or no worker starts; 129, 130, 143 after SIGHUP, SIGINT, "
        + "SIGTERM: what it was building goes to another agent.";

    private const string DefaultUrl = "nats://127.0.0.1:4222";

    private readonly Option<string?> _farm = new("--farm")
    {
        Description = "Has projects built by the agents (buildharness agent) that are connected to this server of NATS JetStream: "
            + "nats://HOST:PORT or tls://HOST:PORT. All machines must see the files at the same path.",
        HelpName = "URL",
    };
    private readonly Option<string> _nats = new("--nats")
    {
        Description = "The server of NATS JetStream: nats://HOST:PORT or tls://HOST:PORT, or several with commas between them.",
        HelpName = "URL",
        DefaultValueFactory = _ => DefaultUrl,
    };
    private readonly Option<string?> _credentials = new("--creds")
    {
        Description = "A file with the user's credentials at the server (.creds).", HelpName = "FILE",
    };
    private readonly Option<int> _local = new("--local")
    {
        Description = $"With --farm: how many worker processes help on this machine, 0 to {CommandSyntax.MostNodes}; 0 by default.",
        HelpName = "N",
    };
    private readonly Option<int> _workers = new("--workers")
    {
        Description = $"How many projects are built at once, 1 to {CommandSyntax.MostNodes}; as many as there are cores.",
        HelpName = "N",
        DefaultValueFactory = _ => Math.Min(CommandSyntax.MostNodes, Environment.ProcessorCount),
    };
    private readonly Option<string> _name = new("--name")
    {
        Description = "The agent's name, which builds show; the machine's.", DefaultValueFactory = _ => Environment.MachineName,
    };

    public FarmSyntax()
    {
        Expect(_local, 0);
        Expect(_workers, 1);
        Agent = new Command("agent", "Builds projects for other machines: takes them from a server of NATS JetStream, where build --farm "
            + "puts them, until Ctrl+C. It keeps its workers warm, and needs the SDK and the files that the build has.")
        {
            _nats, _credentials, _workers, _name,
        };
    }

    public Command Agent { get; }

    public void AddTo(Command build)
    {
        build.Options.Add(_farm);
        build.Options.Add(_local);
        build.Options.Add(_credentials);
    }

    public AgentCommandOptions Read(ParseResult parsed) => new()
    {
        Farm = new FarmSettings(parsed.GetRequiredValue(_nats), parsed.GetValue(_credentials)),
        Workers = parsed.GetValue(_workers),
        Name = parsed.GetRequiredValue(_name),
    };

    /// <summary>Reads what a build says of a farm.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="build">The other options.</param>
    /// <param name="hasNodes">Whether <c>--nodes</c> is among them.</param>
    /// <param name="mistake">What is wrong, or null.</param>
    public BuildOptions Read(ParseResult parsed, BuildOptions build, bool hasNodes, out string? mistake)
    {
        string? url = parsed.GetValue(_farm);
        mistake = url is null
            ? parsed.GetResult(_local) is { Implicit: false } ? "--local: says how many workers help a farm, and there is no --farm."
                : parsed.GetValue(_credentials) is not null ? "--creds: are those of a farm, and there is no --farm." : null
            : hasNodes ? "--nodes and --farm: with a farm, --local N says how many workers this machine has."
            : build.CollectOutputs is not null ? "--collect-outputs and --farm: the outputs are on the file system that all machines share."
            : null;
        return url is null ? build : build with
        {
            Farm = new FarmSettings(url, parsed.GetValue(_credentials)), Nodes = parsed.GetValue(_local),
        };
    }

    private static void Expect(Option<int> option, int least) => option.Validators.Add(result =>
    {
        if (result.Tokens.Count == 1 && !(int.TryParse(
            result.Tokens[0].Value, NumberStyles.None, CultureInfo.InvariantCulture, out int number)
            && number >= least && number <= CommandSyntax.MostNodes))
        {
            result.AddError($"{option.Name} {result.Tokens[0].Value}: expected {least} to {CommandSyntax.MostNodes}.");
        }
    });
}
