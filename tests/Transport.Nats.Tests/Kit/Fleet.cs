using System;
using System.Collections.Concurrent;
using System.IO;
using System.Threading.Tasks;
using NATS.Client.Core;
using Transport.Journal;
using Transport.Testing;
using Transport.Testing.Servers;

namespace Transport.Nats.Tests.Kit;

/// <summary>A server, a journal, and what a shipper and a receiver need.</summary>
internal sealed class Fleet : IAsyncDisposable
{
    private readonly TemporaryFolder _folder = new();

    private Fleet(NatsServer server, JournalOptions? options)
    {
        Server = server;
        Connection = server.Connect();
        Journal = PacketJournal.Open(SourcePath, options);
    }

    public NatsServer Server { get; }

    /// <summary>Gets a connection that all share.</summary>
    public NatsConnection Connection { get; }

    /// <summary>Gets or sets the journal that is shipped.</summary>
    public PacketJournal Journal { get; set; }

    /// <summary>Gets the lines that were reported.</summary>
    public ConcurrentQueue<string> Lines { get; } = new();

    public string SourcePath => Path.Combine(_folder.Path, "source");

    public string Folder => Path.Combine(_folder.Path, "received");

    public static async Task<Fleet> StartAsync(string settings = "", JournalOptions? journal = null) =>
        new(await NatsServer.StartAsync(settings), journal);

    public JournalShipper Ship(Action<ShipperOptions>? configure = null)
    {
        var options = new ShipperOptions { Stream = { Create = true }, Machine = "m1", Report = Lines.Enqueue };
        configure?.Invoke(options);
        return JournalShipper.Start(Connection, Journal, options);
    }

    public JournalReceiver Receive(Action<ReceiverOptions>? configure = null)
    {
        var options = new ReceiverOptions
        {
            Stream = { Create = true }, GapPatience = TimeSpan.FromSeconds(20), Report = Lines.Enqueue,
        };
        configure?.Invoke(options);
        return JournalReceiver.Start(Connection, Folder, options);
    }

    public async ValueTask DisposeAsync()
    {
        await Journal.DisposeAsync();
        await Connection.DisposeAsync();
        await Server.DisposeAsync();
        _folder.Dispose();
    }
}
