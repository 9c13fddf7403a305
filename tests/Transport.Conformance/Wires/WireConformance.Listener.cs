using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Conformance.Wires;

/// <summary>What every listener must keep.</summary>
internal abstract partial class WireConformance
{
    [Test]
    public async Task Disposing_the_listener_ends_a_pending_accept()
    {
        Task<IWire> accepting = _rig.Listener.AcceptAsync();
        _rig.Listener.Dispose();
        Assert.That(await Failure(accepting, "the pending accept"), Is.InstanceOf<ObjectDisposedException>());
        Assert.That(await Failure(_rig.Listener.AcceptAsync(), "a later accept"), Is.InstanceOf<ObjectDisposedException>());
    }

    [Test]
    public async Task Connected_wires_outlive_their_listener()
    {
        _rig.Listener.Dispose();
        _client.Write([5], 0, 1);
        Assert.That(await _server.ReadExactlyAsync(1), Is.EqualTo(new byte[] { 5 }));
    }

    [Test]
    public async Task Sixty_four_clients_at_once()
    {
        Task<IWire>[] connecting = Enumerable.Range(0, 64).Select(_ => _rig.ConnectAsync()).ToArray();
        var ids = new byte[64];
        for (byte i = 0; i < 64; i++)
        {
            IWire client = Keep(await connecting[i].Within("client " + i));
            client.Write([i], 0, 1);
        }

        for (int i = 0; i < 64; i++)
        {
            IWire server = Keep(await _rig.Listener.AcceptAsync().Within("connection " + i));
            ids[i] = (await server.ReadExactlyAsync(1))[0];
        }

        Assert.That(ids, Is.EquivalentTo(Enumerable.Range(0, 64)));
    }

    [Test]
    public async Task A_client_that_leaves_before_it_is_accepted_hurts_nobody()
    {
        for (int i = 0; i < 5; i++)
        {
            (await _rig.ConnectAsync().Within("the client that leaves")).Dispose();
        }

        IWire stays = Keep(await _rig.ConnectAsync().Within("the client that stays"));
        stays.Write([9], 0, 1);
        stays.Shutdown();
        for (int i = 0; i < 6; i++)
        {
            try
            {
                using IWire server = await _rig.Listener.AcceptAsync().Within("a connection");
                byte[] got = await server.ReadToEndAsync();
                if (got.Length == 1)
                {
                    Assert.That(got[0], Is.EqualTo(9));
                    return;
                }
            }
            catch (IOException)
            {
                // This one failed; the listener goes on.
            }
        }

        Assert.Fail("The client that stayed was never accepted.");
    }

    [Test]
    public async Task Connecting_to_nobody_fails_and_names_the_endpoint()
    {
        _rig.Listener.Dispose();
        if (Kind == WireKinds.Inherited)
        {
            IWire child = Keep(await _rig.ConnectAsync());
            Assert.That(await child.ReadAsync(new byte[1], 0, 1).Within("the end"), Is.Zero, "who has its pipes is told by their end");
            return;
        }

        Exception? failure = await Failure(_rig.ConnectAsync(), "connecting to nobody");
        Assert.That(failure, Is.InstanceOf<TransportException>());
        Assert.That(((TransportException)failure!).Fault, Is.EqualTo(TransportFault.ConnectFailed));
        Assert.That(failure.Message, Does.Contain(_rig.Endpoint.ToString()));
    }

    [Test]
    public void Disposing_the_listener_twice_is_harmless_and_leaves_nothing_behind()
    {
        _rig.Listener.Dispose();
        _rig.Listener.Dispose();
        Assert.That(Directory.GetFileSystemEntries(_rig.Folder), Is.Empty);
    }
}
