using System;
using System.CommandLine;
using System.Linq;
using System.Threading.Tasks;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>The command <c>collect</c>.</summary>
internal sealed class CollectCommand
{
    /// <summary>What the exit codes mean, for the help.</summary>
    public const string ExitCodes = "the command's own, whatever becomes of the events; with --required 3 if that is 0 "
        + "and not every event is known to be kept; without a command 0 after Ctrl+C or SIGTERM; 2 bad usage, the journal holds another "
        + "build, or the command cannot be started; 3 the journal cannot be opened, and nothing was started.";

    private readonly Argument<string[]> _command = new("COMMAND")
    {
        Description = "The build, behind --: dotnet build, msbuild, restore, pack, publish, test or clean with its arguments. Without one: "
            + "waits for builds that others start with the logger, until Ctrl+C.",
        Arity = ArgumentArity.ZeroOrMore,
    };

    private readonly Option<string?> _journal = new("--journal")
    {
        Description = "The folder of the journal, which holds no other build; by default a new one among the last ten builds of this user.",
    };

    private readonly Option<bool> _append = new("--append")
    {
        Description = "Adds the build to the journal of --journal, which may hold others: commands that read it take the newest, or --build.",
    };

    private readonly Option<bool> _detail = new("--detail")
    {
        Description = "The build also logs what goes into tasks and comes out of them, and imports: what a binary log holds.",
    };

    private readonly Option<bool> _required = new("--required") { Description = "The build fails if not all of its events arrive." };

    private readonly Option<bool> _noMask = new("--no-mask")
    {
        Description = "Secrets are not masked. By default values of variables and properties with token, secret, password, key, pwd, "
            + "credential or connectionstring in their names are, wherever they stand.",
    };

    private readonly Option<string[]> _secrets = new("--secret") { Description = "A further name of a secret; may be given again." };

    private readonly Option<string[]> _public = new("--public") { Description = "A name that is no secret's; may be given again." };

    /// <summary>Initializes a new instance of the <see cref="CollectCommand"/> class.</summary>
    public CollectCommand()
    {
        foreach (Option<string[]> names in new[] { _secrets, _public })
        {
            names.Validators.Add(result =>
            {
                if (result.Tokens.Any(token => token.Value.Length == 0 || token.Value.Any(c => c is ',' or ';' or '"')))
                {
                    result.AddError($"collect: {names.Name} takes the name of a variable or property.");
                }
            });
        }

        Command = new Command("collect", "Runs a build with a logger that sends every event here, and keeps them in a journal: it survives "
            + "the build and whatever ends it. The build has this terminal, and looks as it always does; its exit code stays its own. "
            + "\"transport watch\" in another terminal shows what it is on.")
        {
            _command, _journal, _append, _detail, _required, _noMask, _secrets, _public,
        };
    }

    /// <summary>Gets the command.</summary>
    public Command Command { get; }

    /// <summary>Runs it.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="report">Writes a line to stderr.</param>
    /// <returns>The exit code.</returns>
    /// <exception cref="ToolException">The command or the journal cannot be used; nothing was started.</exception>
    public Task<int> RunAsync(ParseResult parsed, Action<string> report) => new CollectRun(
        new CollectOptions
        {
            Command = parsed.GetValue(_command)!,
            Journal = parsed.GetValue(_journal),
            Appends = parsed.GetValue(_append),
            IsDetailed = parsed.GetValue(_detail),
            IsRequired = parsed.GetValue(_required),
            IsMasking = !parsed.GetValue(_noMask),
            Secrets = parsed.GetValue(_secrets) ?? [],
            Public = parsed.GetValue(_public) ?? [],
        },
        report).RunAsync();
}
