using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using NATS.Client.Core;

namespace Transport.Loads.Farm;

/// <summary>A nats-server of the load's own: on loopback, JetStream on, its files in a folder of the load.</summary>
internal sealed class FarmServer : IDisposable
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(20);

    private readonly string _config, _log;
    private Process _server = null!;

    /// <summary>Initializes a new instance of the <see cref="FarmServer"/> class: starts it, and waits until it answers.</summary>
    /// <param name="folder">Where its files go.</param>
    public FarmServer(string folder)
    {
        int port = FreePort();
        Url = string.Create(CultureInfo.InvariantCulture, $"nats://127.0.0.1:{port}");
        string config = Path.Combine(folder, "nats.conf");
        string data = Path.Combine(folder, "data");
        File.WriteAllText(config, string.Create(
            CultureInfo.InvariantCulture, $"listen: \"127.0.0.1:{port}\"\njetstream {{ store_dir: \"{data}\" }}\n"));
        (_config, _log) = (config, Path.Combine(folder, "log"));
        Start();
    }

    /// <summary>Gets why there is none; null if it is installed.</summary>
    public static string? Missing => Program is null ? "no nats-server here" : null;

    public string Url { get; }

    private static string? Program { get; } =
        new[] { Repository.OnPath("nats-server"), "/usr/sbin/nats-server" }.FirstOrDefault(File.Exists);

    /// <summary>Starts it, with what it had, and waits until it answers.</summary>
    public void Start()
    {
        _server = Process.Start(new ProcessStartInfo(Program!, ["-c", _config, "-l", _log]))!;
        var clock = Stopwatch.StartNew();
        while (!IsReady())
        {
            if (clock.Elapsed > s_limit || _server.HasExited)
            {
                throw new LoadException("nats-server was not ready in time.");
            }
        }
    }

    /// <summary>Makes a connection to it.</summary>
    public NatsConnection Connect() => new(new NatsOpts { Url = Url });

    /// <summary>Kills it.</summary>
    public void Kill()
    {
        _server.Kill();
        _server.WaitForExit();
        _server.Dispose();
    }

    public void Dispose() => Kill();   // its files are thrown away

    private bool IsReady()
    {
        try
        {
            NatsConnection connection = Connect();
            try
            {
                connection.ConnectAsync().AsTask().GetAwaiter().GetResult();
                return connection.ServerInfo is { JetStreamAvailable: true };
            }
            finally
            {
                connection.DisposeAsync().AsTask().GetAwaiter().GetResult();
            }
        }
        catch (NatsException)
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
