using System;
using System.CommandLine;
using System.Globalization;
using System.Threading.Tasks;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>The command <c>check-worker</c>.</summary>
internal sealed class CheckWorkerCommand
{
    /// <summary>What the exit codes mean, for the help.</summary>
    public const string ExitCodes = "0 every case holds; 1 a case failed; 2 bad usage, or the worker cannot be started; 3 stdout cannot be "
        + "written.";

    private readonly Argument<string[]> _command = new("COMMAND")
    {
        Description = "The worker's program and its arguments, behind --.", Arity = ArgumentArity.OneOrMore,
    };

    private readonly Option<double> _patience = new("--patience")
    {
        Description = "How many seconds each step may take.", DefaultValueFactory = _ => 10,
    };

    /// <summary>Initializes a new instance of the <see cref="CheckWorkerCommand"/> class.</summary>
    public CheckWorkerCommand()
    {
        _patience.Validators.Add(result =>
        {
            if (result.Tokens.Count > 0 && !(double.TryParse(result.Tokens[^1].Value, CultureInfo.InvariantCulture, out double seconds)
                && seconds is >= 0.1 and <= 600))
            {
                result.AddError("check-worker: --patience takes a number of seconds, 0.1 to 600.");
            }
        });
        Command = new Command("check-worker", "Takes a worker in any language through the cases of PROTOCOL.md: starts it five times as a "
            + "main node does, writes the bytes itself, and says of each case whether it holds. For a worker that ends by itself, or "
            + "when its main node asks it to (Stop, or Goodbye).") { _command, _patience };
    }

    /// <summary>Gets the command.</summary>
    public Command Command { get; }

    /// <summary>Runs it.</summary>
    /// <param name="parsed">The command line.</param>
    /// <returns>The exit code.</returns>
    /// <exception cref="ToolException">The worker cannot be started.</exception>
    public async Task<int> RunAsync(ParseResult parsed)
    {
        string[] command = parsed.GetValue(_command)!;
        Console.Out.WriteLine(TerminalText.Line("check-worker: " + string.Join(' ', command)));
        var check = new WorkerCheck(command, TimeSpan.FromSeconds(parsed.GetValue(_patience)),
            line => Console.Out.WriteLine(TerminalText.Line(line)));
        return await check.RunAsync().ConfigureAwait(false) ? ToolExitCodes.Success : ToolExitCodes.Invalid;
    }
}
