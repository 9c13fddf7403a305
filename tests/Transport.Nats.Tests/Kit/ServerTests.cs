using System.Threading.Tasks;
using NATS.Client.Core;
using NUnit.Framework;
using Transport.Testing.Servers;

namespace Transport.Nats.Tests.Kit;

/// <summary>Tests with a server of their own each.</summary>
public abstract class ServerTests
{
    private NatsServer? _server;
    private NatsConnection? _connection;

    /// <summary>Gets the server.</summary>
    private protected NatsServer Server => _server!;

    /// <summary>Gets a connection to it.</summary>
    private protected NatsConnection Connection => _connection!;

    [SetUp]
    public async Task StartServer()
    {
        _server = await NatsServer.StartAsync();
        _connection = _server.Connect();
    }

    [TearDown]
    public async Task EndServer()
    {
        if (_connection is not null)
        {
            await _connection.DisposeAsync();
        }

        if (_server is not null)
        {
            await _server.DisposeAsync();
        }
    }
}
