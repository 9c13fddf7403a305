using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Conformance.Wires;

/// <summary>Connecting and accepting if the system has run out of something.</summary>
[TestFixture]
[Platform("Linux")]
[NonParallelizable] // it takes every descriptor that the process may have
public sealed class ConnectTests
{
    private const int NoFile = 7, Waiting = 5;
    private readonly TestFolder _folder = new();

    [OneTimeTearDown]
    public void RemoveFolder() => _folder.Dispose();

    [Test]
    public async Task A_full_queue_ends_in_connect_failed_after_the_timeout()
    {
        using var crowd = new Crowd(_folder.Path + "/full");
        var clock = Stopwatch.StartNew();
        TransportException? e = await Assert.ThrowsAsync<TransportException>(() =>
            WireFactory.ConnectAsync(crowd.Endpoint, TimeSpan.FromMilliseconds(300), []).Within("the timeout"));
        Assert.That(e!.Fault, Is.EqualTo(TransportFault.ConnectFailed));
        Assert.That(e.Message, Does.Contain("not accepted within 0.3 s").And.Contain(crowd.Endpoint.ToString()));
        Assert.That(clock.ElapsedMilliseconds, Is.GreaterThan(200));
    }

    [Test]
    public async Task A_full_queue_is_waited_for_until_there_is_capacity()
    {
        using var crowd = new Crowd(_folder.Path + "/capacity");
        Task<IWire> connecting = WireFactory.ConnectAsync(crowd.Endpoint, WithinExtensions.Bound, []);
        crowd.AcceptAll();
        using IWire wire = await connecting.Within("capacity in the queue");
        Assert.That(wire.Peer.IsCurrentUser);
    }

    [Test]
    public async Task Cancelling_ends_the_wait_for_capacity()
    {
        using var crowd = new Crowd(_folder.Path + "/cancel");
        using var cancel = new CancellationTokenSource();
        Task<IWire> connecting = WireFactory.ConnectAsync(crowd.Endpoint, TimeSpan.FromSeconds(120), [], cancel.Token);
        cancel.Cancel();
        await Assert.CatchAsync<OperationCanceledException>(() => connecting.Within("the cancelled connect"));
    }

    [Test]
    public async Task A_listener_that_runs_out_of_descriptors_goes_on_afterwards()
    {
        using WireRig rig = WireKinds.Open(WireKinds.Unix);
        (IWire warmServer, IWire warmClient) = await rig.PairAsync();
        warmServer.Dispose();
        warmClient.Dispose();
        using var clients = new Held();
        for (int i = 0; i < Waiting; i++)
        {
            clients.Add(await rig.ConnectAsync());
        }

        using var taken = new Held();
        Exception? failure = null;
        Assert.That(GetRLimit(NoFile, out Limit usual), Is.Zero);
        var hoard = new List<Socket>();
        try
        {
            var few = new Limit { Soft = (UIntPtr)400, Hard = usual.Hard };
            Assert.That(SetRLimit(NoFile, ref few), Is.Zero);
            FillUp(hoard);

            // A descriptor that something else lets go just now is good for one more.
            while (failure is null && taken.Count < Waiting - 1)
            {
                failure = Caught(rig.Listener, taken);   // on this thread: without descriptors the system gives no other
            }
        }
        finally
        {
            SetRLimit(NoFile, ref usual);
            hoard.ForEach(static s => s.Dispose());
        }

        Assert.That(failure, Is.InstanceOf<IOException>());
        using IWire server = await rig.Listener.AcceptAsync().Within("the connection that waited");
        clients[taken.Count].Write([3], 0, 1);
        Assert.That(await server.ReadExactlyAsync(1), Is.EqualTo(new byte[] { 3 }));
    }

    [Test]
    public void A_listener_that_finds_one_descriptor_for_its_two_leaves_no_socket_behind()
    {
        using var folder = new TestFolder();
        var endpoint = new WireEndpoint(WireKind.UnixSocket, folder.Path + "/s");
        WireFactory.Listen(endpoint).Dispose();   // what runs for the first time may need descriptors of its own
        Assert.That(GetRLimit(NoFile, out Limit usual), Is.Zero);
        var hoard = new List<Socket>();
        Exception? failure = null;
        try
        {
            var few = new Limit { Soft = (UIntPtr)400, Hard = usual.Hard };
            Assert.That(SetRLimit(NoFile, ref few), Is.Zero);
            FillUp(hoard);
            hoard[0].Dispose();
            failure = Assert.Catch(() => WireFactory.Listen(endpoint).Dispose());
        }
        finally
        {
            SetRLimit(NoFile, ref usual);
            hoard.ForEach(static s => s.Dispose());
        }

        Assert.That(failure, Is.InstanceOf<TransportException>());
        Assert.That(failure!.Message, Does.Contain("No pipe"));
        Assert.That(Directory.GetFileSystemEntries(folder.Path), Is.Empty);
    }

    private static void FillUp(List<Socket> hoard)
    {
        try
        {
            while (hoard.Count < 1000)
            {
                hoard.Add(UnixSocketEndPoint.NewSocket());
            }
        }
        catch (SocketException)
        {
            // As many as there are.
        }
    }

    private static Exception? Caught(IWireListener listener, Held taken)
    {
        try
        {
            listener.Wait([], new List<int>(), accept: true);
            if (listener.TryAccept() is { } wire)
            {
                taken.Add(wire);
            }

            return null;
        }
        catch (Exception e)
        {
            return e;
        }
    }

    [DllImport("libc", EntryPoint = "getrlimit")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int GetRLimit(int resource, out Limit limit);

    [DllImport("libc", EntryPoint = "setrlimit")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int SetRLimit(int resource, ref Limit limit);

    [StructLayout(LayoutKind.Sequential)]
    private struct Limit
    {
        public UIntPtr Soft;
        public UIntPtr Hard;
    }

    /// <summary>Wires that end together.</summary>
    private sealed class Held : List<IWire>, IDisposable
    {
        public void Dispose() => ForEach(static w => w.Dispose());
    }

    /// <summary>A listener with the smallest queue, full of clients that nobody accepts.</summary>
    private sealed class Crowd : IDisposable
    {
        private readonly Socket _listener = UnixSocketEndPoint.NewSocket();
        private readonly List<Socket> _clients = new();

        public Crowd(string path)
        {
            Endpoint = new WireEndpoint(WireKind.UnixSocket, path);
            _listener.Bind(new UnixSocketEndPoint(path));
            _listener.Listen(1);
            for (int i = 0; i < 10; i++)
            {
                Socket client = UnixSocketEndPoint.NewSocket();
                _clients.Add(client);
                client.SendTimeout = 100;
                try
                {
                    client.Connect(new UnixSocketEndPoint(path));
                }
                catch (SocketException)
                {
                    return; // Full.
                }
            }
        }

        public WireEndpoint Endpoint { get; }

        public void AcceptAll()
        {
            while (_listener.Poll(200_000, SelectMode.SelectRead))
            {
                _clients.Add(_listener.Accept());
            }
        }

        public void Dispose()
        {
            _clients.ForEach(static c => c.Dispose());
            _listener.Dispose();
        }
    }
}
