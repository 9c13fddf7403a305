using System;
using System.CommandLine;
using System.IO;
using NATS.Client.Core;
using Transport.Nats;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>The options with which <c>ship</c> and <c>receive</c> find their server.</summary>
internal sealed class NatsSettings
{
    private readonly Option<string> _url = new("--nats")
    {
        Description = "The server's address: nats://HOST:PORT, tls://HOST:PORT, or several with commas between them.",
        DefaultValueFactory = _ => "nats://127.0.0.1:4222",
    };
    private readonly Option<string?> _credentials = new("--creds") { Description = "A file with the user's credentials (.creds)." };
    private readonly Option<string> _stream = new("--stream")
    {
        Description = "The fleet's stream.", DefaultValueFactory = _ => "TRANSPORT",
    };
    private readonly Option<bool> _create = new("--create")
    {
        Description = "Creates the stream and its bucket if they are not there.",
    };

    private readonly Option<double> _giveUp = new("--give-up")
    {
        Description = "Ends after so many seconds without a server that can be used; 0: never.", DefaultValueFactory = _ => 30,
    };

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        _giveUp.Validators.Add(result => JournalCommands.Check(
            result, result.GetValueOrDefault<double>() is >= 0 and <= 1e6, "a number of seconds, 0 to 1000000"));
        command.Options.Add(_giveUp);
        command.Options.Add(_url);
        command.Options.Add(_credentials);
        command.Options.Add(_stream);
        command.Options.Add(_create);
    }

    /// <summary>Makes the connection; it is the caller's, and not connected yet.</summary>
    /// <exception cref="ToolException">The file of credentials is not there.</exception>
    public NatsConnection Connect(ParseResult parsed)
    {
        string? credentials = parsed.GetValue(_credentials);
        if (credentials is not null && !File.Exists(credentials))
        {
            throw new ToolException($"--creds {credentials}: there is no such file.", ToolExitCodes.BadUsage);
        }

        return new NatsConnection(new NatsOpts
        {
            Url = parsed.GetRequiredValue(_url),
            Name = "transport",
            AuthOpts = credentials is null ? NatsAuthOpts.Default : new NatsAuthOpts { CredsFile = credentials },
        });
    }

    /// <summary>Returns after how long without a server to end; null: never.</summary>
    public TimeSpan? GiveUpAfter(ParseResult parsed) =>
        parsed.GetValue(_giveUp) is > 0 and var seconds ? TimeSpan.FromSeconds(seconds) : null;

    /// <summary>Says which stream it is.</summary>
    public void Say(ParseResult parsed, FleetStream stream) =>
        (stream.Name, stream.Create) = (parsed.GetRequiredValue(_stream), parsed.GetValue(_create));
}
