using System;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using Transport.Fuzz.Inputs;
using Transport.Fuzz.Targets;
using Transport.Testing.Links;

namespace Transport.Fuzz.Hostile;

/// <summary>Makes one hostile connection after another.</summary>
internal sealed class Attacker(VictimProcess victim, Prng random)
{
    /// <summary>How long a connection may stay open once everything was sent: more is a defect of the other side.</summary>
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(20);

    private readonly byte[] _buffer = new byte[4096];

    /// <summary>Makes one.</summary>
    /// <returns>How it ended: closed, reset, left, or "held" if the other side did not let go of it.</returns>
    public async Task<string> AttackAsync(Attack attack)
    {
        byte[] bytes = attack.Bytes(random);
        string? ticket = attack.HasTicket ? (await victim.AskAsync("ticket").ConfigureAwait(false)).Split(' ')[1] : null;
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        using var limit = new CancellationTokenSource(Bound);
        try
        {
            await ConnectAsync(socket, ticket is null ? victim.Main : victim.Doors, limit.Token).ConfigureAwait(false);
            if (ticket is not null)
            {
                await SendAsync(socket, Streams.Frame(0, 1, RawPeer.HelloBody(Golden.Hex(ticket), caps: ["strings", "maps"])), limit.Token)
                    .ConfigureAwait(false);
                if (await socket.ReceiveAsync(_buffer, SocketFlags.None, limit.Token).ConfigureAwait(false) < 10
                    || _buffer[4] != RawPeer.Welcome)
                {
                    return "not welcomed";
                }
            }

            Task<string> reading = attack.Reads ? ReadToEndAsync(socket, limit.Token) : Task.FromResult("left");
            await SayAsync(socket, attack, bytes, reading, limit.Token).ConfigureAwait(false);
            return attack.Leaves ? "left" : await reading.ConfigureAwait(false);
        }
        catch (SocketException)
        {
            return "reset";
        }
        catch (OperationCanceledException)
        {
            return "held";
        }
    }

    private static async Task SayAsync(Socket socket, Attack attack, byte[] bytes, Task<string> reading, CancellationToken limit)
    {
        try
        {
            for (int i = 0; i < attack.Times && bytes.Length > 0; i++)
            {
                if (!attack.Dribbles)
                {
                    await SendAsync(socket, bytes, limit).ConfigureAwait(false);
                    continue;
                }

                using var pace = new PeriodicTimer(TimeSpan.FromMilliseconds(50));
                for (int at = 0; at < bytes.Length && !reading.IsCompleted
                    && await pace.WaitForNextTickAsync(limit).ConfigureAwait(false); at++)
                {
                    await SendAsync(socket, [bytes[at]], limit).ConfigureAwait(false);
                }
            }
        }
        catch (SocketException)
        {
            // Closed before all was said; what it said in return is still read.
        }
    }

    /// <summary>A full queue refuses a socket that does not block: asked again until there is capacity.</summary>
    private static async Task ConnectAsync(Socket socket, string path, CancellationToken limit)
    {
        var endpoint = new UnixDomainSocketEndPoint(path);
        while (true)
        {
            try
            {
                await socket.ConnectAsync(endpoint, limit).ConfigureAwait(false);
                return;
            }
            catch (SocketException e) when (e.SocketErrorCode == SocketError.WouldBlock && !limit.IsCancellationRequested)
            {
                await Task.Yield();
            }
        }
    }

    private static async Task SendAsync(Socket socket, byte[] bytes, CancellationToken limit)
    {
        for (int sent = 0; sent < bytes.Length;)
        {
#pragma warning disable RS0030 // A hostile client may leave half a packet behind.
            sent += await socket.SendAsync(bytes.AsMemory(sent), SocketFlags.None, limit).ConfigureAwait(false);
#pragma warning restore RS0030
        }
    }

    private async Task<string> ReadToEndAsync(Socket socket, CancellationToken limit)
    {
        try
        {
            while (await socket.ReceiveAsync(_buffer, SocketFlags.None, limit).ConfigureAwait(false) > 0)
            {
            }

            return "closed";
        }
        catch (SocketException)
        {
            return "reset";
        }
        catch (OperationCanceledException)
        {
            return "held";
        }
    }
}
