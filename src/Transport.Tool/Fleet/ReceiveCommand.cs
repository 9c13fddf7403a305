using System;
using System.Collections.Generic;
using System.CommandLine;
using System.Linq;
using System.Threading.Tasks;
using NATS.Client.Core;
using Transport.Nats;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>The command <c>receive</c>.</summary>
internal sealed class ReceiveCommand
{
    /// <summary>What the exit codes mean, for the help.</summary>
    public const string ExitCodes = "2 bad usage; 3 the folder cannot be written, has a receiver, or no server could be used for --give-up "
        + "seconds; 130 Ctrl+C: all that was received is on the disk.";

    private static readonly TimeSpan Look = TimeSpan.FromSeconds(1);

    private readonly Argument<string> _folder = new("FOLDER") { Description = "Where the journals are: a directory each." };
    private readonly Option<string> _name = new("--name")
    {
        Description = "This receiver's name at the server; each receiver of a stream has its own.", DefaultValueFactory = _ => "receiver",
    };
    private readonly Option<string[]> _machines = new("--machine")
    {
        Description = "Receives only this machine's journals; may be given again.", Arity = ArgumentArity.ZeroOrMore,
    };
    private readonly NatsSettings _server = new();

    /// <summary>Initializes a new instance of the <see cref="ReceiveCommand"/> class.</summary>
    public ReceiveCommand()
    {
        Command = new Command("receive", "Receives the journals that transport ship sends to a stream of NATS JetStream, until Ctrl+C. "
            + "Each becomes a journal in the folder, which watch, query, export and journal read at once.")
        {
            _folder, _name, _machines,
        };
        _server.AddTo(Command);
    }

    /// <summary>Gets the command.</summary>
    public Command Command { get; }

    /// <summary>Runs it.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="report">Writes a line to stderr.</param>
    /// <returns>The exit code.</returns>
    /// <exception cref="ToolException">It cannot be done.</exception>
    public async Task<int> RunAsync(ParseResult parsed, Action<string> report)
    {
        string folder = parsed.GetRequiredValue(_folder);
        var options = new ReceiverOptions
        {
            Name = parsed.GetRequiredValue(_name),
            Machines = parsed.GetValue(_machines) ?? [],
            GiveUpAfter = _server.GiveUpAfter(parsed),
            Report = line => report("transport: " + line),
        };
        _server.Say(parsed, options.Stream);
        using var interrupt = new Interrupt();
        NatsConnection connection = _server.Connect(parsed);
        await using (connection.ConfigureAwait(false))
        {
            JournalReceiver receiver = FleetFaults.Of(folder, () => JournalReceiver.Start(connection, folder, options));
            await using (receiver.ConfigureAwait(false))
            {
                Console.Out.WriteLine(TerminalText.Line($"receiving into {folder}"));
                await FleetFaults.OfAsync(folder, () => WatchAsync(receiver, interrupt)).ConfigureAwait(false);
                await receiver.DisposeAsync().ConfigureAwait(false);
                foreach (string line in receiver.Status.Journals.Select(Line))
                {
                    Console.Out.WriteLine(TerminalText.Line(line));
                }

                return interrupt.ExitCode ?? ToolExitCodes.Fault;
            }
        }
    }

    /// <summary>Waits until the receiver has ended, or Ctrl+C; says of each journal that it has come.</summary>
    private static async Task WatchAsync(JournalReceiver receiver, Interrupt interrupt)
    {
        Task end = FleetFaults.UntilAsync(receiver.Completion, interrupt);
        HashSet<string> seen = new(StringComparer.Ordinal);
        while (!end.IsCompleted)
        {
            foreach (ReceivedJournal one in receiver.Status.Journals.Where(one => seen.Add(one.Directory)))
            {
                Console.Out.WriteLine(TerminalText.Line($"{one.Machine} {one.Id:N}: receiving into {one.Directory}"));
            }

            await Task.WhenAny(end, Task.Delay(Look)).ConfigureAwait(false);
        }

        await end.ConfigureAwait(false);
    }

    private static string Line(ReceivedJournal one) => FormattableString.Invariant(
        $"{one.Machine} {one.Id:N}: {Counted.Of(one.Packets, "packet")} up to position {one.Position}, ")
        + $"{Counted.Of(one.Gaps.Count, "gap")}; {one.Directory}";
}
