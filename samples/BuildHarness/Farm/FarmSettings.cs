using System;
using System.Buffers;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;
using Transport;
using Transport.Nats;

namespace BuildHarness.Farm;

/// <summary>Where a farm's server is. The names on it are the harness's own: a stream for work, one for events, and subjects for what home
/// and agents tell each other.</summary>
/// <param name="Url">Its address, or several with commas between them.</param>
/// <param name="Credentials">A file with the user's credentials, or null.</param>
internal sealed record FarmSettings(string Url, string? Credentials)
{
    /// <summary>The name under which agents lend workers.</summary>
    public const string Pool = "build";

    /// <summary>The subject on which home asks who is there.</summary>
    public const string Call = "transport.farm.call";

    /// <summary>After how long without the server, or without an agent, home gives up.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    /// <summary>How often home asks who is there, and how long agents keep what they have of a build without a word of it: longer than home
    /// waits for the server.</summary>
    public static readonly TimeSpan CallEvery = TimeSpan.FromSeconds(5), KeepFor = TimeSpan.FromMinutes(3);

    /// <summary>Gets the address as it may be shown: without names and passwords.</summary>
    public string Place => string.Join(", ", Url.Split(',').Select(url => url[(url.LastIndexOf('@') + 1)..]));

    /// <summary>The subject of one agent, on which it is told that a build is over.</summary>
    public static string EndOf(Guid agent) => $"transport.farm.end.{agent:N}";

    /// <summary>The subject of the letters to one end of a loan.</summary>
    public static string LettersTo(string loan, bool home) => $"transport.farm.loan.{loan}.{(home ? "home" : "agent")}";

    /// <summary>The stream in which loans wait for an agent.</summary>
    public static FleetStream Work() => new()
    {
        Name = "TRANSPORT_farm_work", Subject = "transport.farm.work", Create = true, MaxBytes = 64 << 20, MaxAge = TimeSpan.FromDays(1),
    };

    /// <summary>The stream in which events come home.</summary>
    public static FleetStream Events() => new()
    {
        Name = "TRANSPORT_farm", Subject = "transport.farm.events", Create = true, MaxBytes = 1L << 30, MaxAge = TimeSpan.FromDays(1),
    };

    /// <summary>Makes a connection, which is not connected yet.</summary>
    /// <exception cref="HarnessException">The file of credentials is not there, or the address is none.</exception>
    public NatsConnection Connect()
    {
        if (Credentials is not null && !File.Exists(Credentials))
        {
            throw new HarnessException($"--creds {Credentials}: there is no such file.", ExitCodes.BadUsage);
        }

        try
        {
            return new NatsConnection(new NatsOpts
            {
                Url = Url,
                Name = "buildharness",
                AuthOpts = Credentials is null ? NatsAuthOpts.Default : new NatsAuthOpts { CredsFile = Credentials },
            });
        }
        catch (Exception e) when (e is UriFormatException or ArgumentException or NatsException)
        {
            throw new HarnessException(
                $"{Place} is no address of a server: expected nats://HOST:PORT or tls://HOST:PORT ({e.Message})", ExitCodes.BadUsage);
        }
    }

    /// <summary>Connects, so that a wrong address is known at once.</summary>
    /// <exception cref="HarnessException">There is no server, or it refuses.</exception>
    public async Task ConnectAsync(NatsConnection connection, CancellationToken cancellationToken)
    {
        try
        {
            await connection.ConnectAsync().AsTask().WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (NatsException e)
        {
            throw new HarnessException($"No server of NATS can be used at {Place}: {e.GetBaseException().Message}");
        }
    }

    /// <summary>Writes a message of home or agent.</summary>
    public static byte[] Bytes<T>(PacketType<T> type, T packet)
    {
        var bytes = new ArrayBufferWriter<byte>();
        type.Formatter.Write(bytes, packet);
        return bytes.WrittenSpan.ToArray();
    }

    /// <summary>Reads one.</summary>
    /// <returns>Null: it is none.</returns>
    public static T? Read<T>(PacketType<T> type, byte[]? bytes)
        where T : class
    {
        try
        {
            return bytes is null ? null : type.Formatter.Read(new ReadOnlySequence<byte>(bytes));
        }
        catch (TransportException)
        {
            return null;   // another version's, or a stranger's: nothing is done about it
        }
    }
}
