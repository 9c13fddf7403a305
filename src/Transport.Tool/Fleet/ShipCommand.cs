using System;
using System.CommandLine;
using System.Threading.Tasks;
using NATS.Client.Core;
using Transport.Journal;
using Transport.Nats;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>The command <c>ship</c>.</summary>
internal sealed class ShipCommand
{
    /// <summary>What the exit codes mean, for the help.</summary>
    public const string ExitCodes = "0 the journal has ended and all of it is shipped; 1 it has ended, and some of it was "
        + "lost before: the last line says how much; 2 no journal, or bad usage; 3 the journal cannot be "
        + "read, or no server could be used for --give-up seconds; 130 Ctrl+C: what the server has stays shipped.";

    private readonly Argument<string> _journal = new("JOURNAL") { Description = "The journal's directory; another process may write it." };
    private readonly Option<string> _machine = new("--machine")
    {
        Description = "This machine's name in the fleet.", DefaultValueFactory = _ => Environment.MachineName,
    };
    private readonly Option<bool> _plain = new("--no-compress") { Description = "Sends blocks as they are, not compressed (brotli)." };
    private readonly Option<bool> _byServer = new("--server-counts")
    {
        Description = "A packet counts as shipped once the server has it, which may lose it in a power cut. Otherwise once a receiver has "
            + "it on its disk.",
    };
    private readonly NatsSettings _server = new();

    /// <summary>Initializes a new instance of the <see cref="ShipCommand"/> class.</summary>
    public ShipCommand()
    {
        Command = new Command("ship", "Ships a journal to a stream of NATS JetStream, from where transport receive takes it: what is there "
            + "already and what is being written, until its writer has ended. Adds a file shipper.lock to it, and changes nothing else.")
        {
            _journal, _machine, _plain, _byServer,
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
        string directory = parsed.GetRequiredValue(_journal);
        var options = new ShipperOptions
        {
            Machine = parsed.GetRequiredValue(_machine),
            Compresses = !parsed.GetValue(_plain),
            ShippedBy = parsed.GetValue(_byServer) ? ShippedBy.Server : ShippedBy.Receiver,
            GiveUpAfter = _server.GiveUpAfter(parsed),
            Report = line => report("transport: " + line),
        };
        _server.Say(parsed, options.Stream);
        using var interrupt = new Interrupt();
        NatsConnection connection = _server.Connect(parsed);
        await using (connection.ConfigureAwait(false))
        {
            JournalShipper shipper = FleetFaults.Of(directory, () => JournalShipper.Start(connection, directory, options));
            await using (shipper.ConfigureAwait(false))
            {
                await FleetFaults.OfAsync(directory, () => FleetFaults.UntilAsync(shipper.Completion, interrupt)).ConfigureAwait(false);
                ShipperStatus status = shipper.Status;
                long shipped = options.ShippedBy == ShippedBy.Server ? status.Published : status.Received;
                Console.Out.WriteLine(FormattableString.Invariant($"shipped up to position {shipped}, {Counted.Of(status.Blocks, "block")}")
                    + (status.Missed > 0 ? FormattableString.Invariant($"; {status.Missed} positions were dropped before") : string.Empty)
                    + (status.MissedByReceiver > 0
                        ? $"; {Counted.Of(status.MissedByReceiver, "position")} never came to the receiver" : string.Empty));
                return interrupt.ExitCode
                    ?? (status.Missed + status.MissedByReceiver > 0 ? ToolExitCodes.Invalid : ToolExitCodes.Success);
            }
        }
    }
}
