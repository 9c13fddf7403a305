using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading.Tasks;
using NATS.Client.Core;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Testing.Servers;

/// <summary>A nats-server of the test's own, on loopback, with JetStream in a folder of its own; it can be killed and started
/// again.</summary>
internal sealed class NatsServer : IAsyncDisposable
{
    private static readonly string? s_program = (Environment.GetEnvironmentVariable("PATH") ?? string.Empty).Split(':').Append("/usr/sbin")
        .Select(folder => Path.Combine(folder, "nats-server")).FirstOrDefault(File.Exists);

    private readonly TemporaryFolder _folder = new();
    private readonly int _port = FreePort();
    private readonly string _address;
    private Process? _process;
    private bool _isOpen = true;

    private NatsServer(string settings, string address)
    {
        _address = address;
        Directory.CreateDirectory(Data);
        File.WriteAllText(Config, string.Create(CultureInfo.InvariantCulture,
            $"listen: \"{_address}:{_port}\"\njetstream {{ store_dir: \"{Data}\" }}\n{settings}\n"));
    }

    /// <summary>Gets its address.</summary>
    public string Url => string.Create(CultureInfo.InvariantCulture, $"nats://{_address}:{_port}");

    /// <summary>Gets the folder of its data.</summary>
    public string Data => Path.Combine(_folder.Path, "data");

    private string Config => Path.Combine(_folder.Path, "nats.conf");

    /// <summary>Starts one. Without the program the test is skipped.</summary>
    /// <param name="settings">Further lines of its configuration.</param>
    /// <param name="isOpen">It takes clients without a password; otherwise it is only waited until it listens.</param>
    /// <param name="address">Where it listens: an address of this machine.</param>
    public static async Task<NatsServer> StartAsync(string settings = "", bool isOpen = true, string address = "127.0.0.1")
    {
        var server = new NatsServer(settings, address) { _isOpen = isOpen };
        await server.StartAgainAsync();
        return server;
    }

    /// <summary>Makes a connection of short patience.</summary>
    public NatsConnection Connect() => new(new NatsOpts
    {
        Url = Url,
        ReconnectWaitMin = TimeSpan.FromMilliseconds(50),
        ReconnectWaitMax = TimeSpan.FromMilliseconds(200),
        ConnectTimeout = TimeSpan.FromSeconds(2),
        CommandTimeout = TimeSpan.FromSeconds(5),
    });

    /// <summary>Starts it, and waits until it listens.</summary>
    public async Task StartAgainAsync()
    {
        if (s_program is null)
        {
            Assert.Ignore("needs nats-server (Debian: apt-get install nats-server)");
        }

        _process = Process.Start(new ProcessStartInfo(s_program!, ["-c", Config, "-l", Path.Combine(_folder.Path, "log")]))!;
        var clock = Stopwatch.StartNew();
        while (!await IsListeningAsync())
        {
            Assert.That(_process.HasExited, Is.False, () => File.ReadAllText(Path.Combine(_folder.Path, "log")));
            Assert.That(clock.Elapsed, Is.LessThan(WithinExtensions.Bound));
        }
    }

    /// <summary>Kills it (SIGKILL).</summary>
    public async Task KillAsync()
    {
        _process!.Kill();
        await _process.WaitForExitAsync();
        _process.Dispose();
        _process = null;
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (_process is not null)
        {
            await KillAsync();
        }

        _folder.Dispose();
    }

    private async Task<bool> IsListeningAsync()
    {
        using var socket = new TcpClient();
        try
        {
            await socket.ConnectAsync(_address, _port);

            if (!_isOpen)
            {
                return true;
            }

            // A server that recovers its streams listens before JetStream answers.
            await using var connection = new NatsConnection(new NatsOpts { Url = Url });
            await connection.ConnectAsync();
            return connection.ServerInfo is { JetStreamAvailable: true };
        }
        catch (Exception e) when (e is SocketException or NatsException)
        {
            return false;
        }
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
