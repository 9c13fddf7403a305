using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;
using Transport.Logging;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>One run of a foreign worker, and its main node: a script that writes the bytes of the protocol itself and judges each that
/// comes.</summary>
/// <remarks>One caller at a time.</remarks>
internal sealed class WorkerRun : IAsyncDisposable
{
    public const int Hello = 1, Welcome = 2, Reject = 3, Goodbye = 4, Ack = 5, Ping = 6, Pong = 7, Stop = 11, Request = 272, Response = 273;
    private const int HeaderSize = 10, MaxChunk = 65_536, MaxPacket = 16 << 20, More = 0x40;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("transport-check-");
    private readonly Socket _listener = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
    private readonly string _secret = Convert.ToHexString(RandomNumberGenerator.GetBytes(32)).ToLowerInvariant();
    private readonly TimeSpan _patience;
    private readonly ChildProcess _process;
    private readonly Dictionary<int, (int Type, MemoryStream Body)> _parts = [];
    private Socket? _socket;
    private bool _hasSaidGoodbye;   // behind it only Ack and Pong are sent
    private long _reported;

    private WorkerRun(string[] command, TimeSpan patience)
    {
        _patience = patience;
        string path = Path.Combine(_folder.FullName, "main");
        _listener.Bind(new UnixDomainSocketEndPoint(path));
        _listener.Listen();
        var start = new ProcessStartOptions(command[0], command[1..])
        {
            Environment = { ["TRANSPORT_ENDPOINT"] = "unix:" + path, ["TRANSPORT_SECRET"] = _secret },
        };
        try
        {
            _process = ChildProcess.Start(start);
        }
        catch (TransportException e) when (e.Fault == TransportFault.StartFailed)
        {
            _listener.Dispose();
            _folder.Delete(recursive: true);
            throw new ToolException($"check-worker: {command[0]} cannot be started: {e.Message}", ToolExitCodes.BadUsage);
        }
    }

    /// <summary>Gets the fields of Hello.</summary>
    public Dictionary<string, object?> Greeting { get; private set; } = [];

    /// <summary>Gets the words of Hello that say what the worker can do.</summary>
    public string[] Caps => Greeting.GetValueOrDefault("caps") is string?[] caps ? [.. caps.OfType<string>()] : [];

    /// <summary>Gets the packets of lanes 1 to 3 that arrived, and those sent.</summary>
    public long Received { get; private set; }

    public long Sent { get; private set; }

    /// <summary>Gets how many of the packets sent the worker has acknowledged.</summary>
    public long Acknowledged { get; private set; }

    public int LogEvents { get; private set; }

    /// <summary>Gets the id of the last Pong.</summary>
    public long LastPong { get; private set; } = -1;

    /// <summary>Gets the worker's Goodbye; null before it.</summary>
    public Dictionary<string, object?>? Farewell { get; private set; }

    /// <summary>Gets the status of the response to the one request; null before it.</summary>
    public long? ResponseStatus { get; private set; }

    /// <summary>Gets a value indicating whether the worker has closed its end.</summary>
    public bool IsAtEnd { get; private set; }

    public int ProcessId => _process.ProcessId;

    /// <summary>Gets the last line that the worker wrote to stderr; empty if there is none.</summary>
    public string LastError => _process.LastErrorLines.Count > 0 ? _process.LastErrorLines[^1] : string.Empty;

    /// <summary>Gets how its process ended; null while it runs.</summary>
    public string? End { get; private set; }

    /// <summary>Gets the last lines that the worker wrote to stderr, oldest first.</summary>
    public IReadOnlyList<string> LastErrors => _process.LastErrorLines;

    /// <summary>Starts the worker, and waits until it has connected and said Hello.</summary>
    /// <param name="command">The program and its arguments.</param>
    /// <param name="patience">How long each step may take.</param>
    /// <param name="started">Takes the run as soon as there is a process.</param>
    /// <exception cref="ToolException">It cannot be started.</exception>
    /// <exception cref="CheckFailure">It does not, or its Hello is wrong.</exception>
    public static async Task<WorkerRun> StartAsync(string[] command, TimeSpan patience, Action<WorkerRun> started)
    {
        var run = new WorkerRun(command, patience);
        started(run);
        try
        {
            await run.GreetAsync().ConfigureAwait(false);
            return run;
        }
        catch
        {
            await run.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Sends a control packet.</summary>
    public Task ControlAsync(int type, params (string Key, object? Value)[] fields) => FrameAsync(0, type, ControlFields.Write(fields));

    /// <summary>Sends a Ping and waits for its Pong.</summary>
    /// <param name="id">Its number.</param>
    /// <param name="behind">What was sent before it, for the message.</param>
    /// <exception cref="CheckFailure">It does not come in time.</exception>
    public async Task PingAsync(long id, string behind = "")
    {
        await ControlAsync(Ping, ("id", id)).ConfigureAwait(false);
        await UntilAsync(() => LastPong == id, $"Pong with id {id}{behind}").ConfigureAwait(false);
    }

    /// <summary>Sends one frame; a packet counts with its last.</summary>
    /// <param name="lane">Its lane.</param>
    /// <param name="type">Its type.</param>
    /// <param name="body">Its body.</param>
    /// <param name="more">Whether the packet goes on.</param>
    /// <param name="singly">Whether each byte is a write of its own.</param>
    public async Task FrameAsync(int lane, int type, byte[] body, bool more = false, bool singly = false)
    {
        byte[] frame = new byte[HeaderSize + body.Length];
        (frame[0], frame[1], frame[2], frame[5]) = (0x93, (byte)(lane | (more ? More : 0)), 0xcd, 0xc6);
        BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(3), (ushort)type);
        BinaryPrimitives.WriteUInt32BigEndian(frame.AsSpan(6), (uint)body.Length);
        body.CopyTo(frame, HeaderSize);
        await SendAsync(frame, singly).ConfigureAwait(false);
        Sent += lane > 0 && !more ? 1 : 0;
        _hasSaidGoodbye |= lane == 0 && type == Goodbye;
    }

    /// <summary>Sends bytes as they are; what a worker that is gone does not take is lost.</summary>
    /// <exception cref="CheckFailure">The worker does not read them in time.</exception>
    public async Task SendAsync(byte[] bytes, bool singly = false)
    {
        using var limit = new CancellationTokenSource(_patience);
        try
        {
            for (int at = 0; at < bytes.Length; at += singly ? 1 : bytes.Length)
            {
                await _socket!.SendAsync(bytes.AsMemory(at, singly ? 1 : bytes.Length), limit.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException)
        {
            throw new CheckFailure($"it did not read what was sent to it within {_patience.TotalSeconds:0.#} s");
        }
        catch (SocketException)
        {
            // What is read next says that it is gone.
        }
    }

    /// <summary>Handles what comes until something is so.</summary>
    /// <param name="isSo">Looked at after each packet.</param>
    /// <param name="what">What is waited for, for the message.</param>
    /// <param name="patience">How long to wait; null: as long as the whole check does.</param>
    /// <exception cref="CheckFailure">It is not in time, the worker closes before, or something that comes is wrong.</exception>
    public async Task UntilAsync(Func<bool> isSo, string what, TimeSpan? patience = null)
    {
        using var limit = new CancellationTokenSource(patience ?? _patience);
        while (!isSo())
        {
            try
            {
                await HandleAsync(limit.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                throw new CheckFailure($"{what} did not come within {(patience ?? _patience).TotalSeconds:0.#} s");
            }

            if (IsAtEnd && !isSo())
            {
                throw new CheckFailure($"the worker closed the connection before {what} arrived");
            }
        }
    }

    /// <summary>Ends sending; the worker sees the end of the stream.</summary>
    public void ShutDown() => _socket!.Shutdown(SocketShutdown.Send);

    /// <summary>Closes the connection at once.</summary>
    public void Disconnect() => _socket!.Dispose();

    /// <summary>Waits for the end of the process.</summary>
    /// <returns>The exit code; 128 and the signal's number if one ended it.</returns>
    /// <exception cref="CheckFailure">It does not end in time.</exception>
    public async Task<int> ExitAsync()
    {
        try
        {
            return (await _process.WaitForExitAsync().WaitAsync(_patience).ConfigureAwait(false)).ShellExitCode;
        }
        catch (TimeoutException)
        {
            throw new CheckFailure($"the process still ran after {_patience.TotalSeconds:0.#} s");
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (End is not null)
        {
            return;
        }

        bool ran = _process.Kill();
        ProcessExit exit = await _process.WaitForExitAsync().ConfigureAwait(false);
        End = ran ? "its process still ran, and was killed" : $"its process ended: {exit}";
        _socket?.Dispose();
        _listener.Dispose();
        _folder.Delete(recursive: true);
    }

    private async Task GreetAsync()
    {
        using var limit = new CancellationTokenSource(_patience);
        Task<Socket> accepting = _listener.AcceptAsync(limit.Token).AsTask();
        Task<ProcessExit> exiting = _process.WaitForExitAsync();
        if (await Task.WhenAny(accepting, exiting).ConfigureAwait(false) == exiting && !accepting.IsCompleted)
        {
            string said = LastError.Length > 0 ? $": {LastError}" : string.Empty;
            throw new CheckFailure($"it ended ({await exiting.ConfigureAwait(false)}) before it connected{said}");
        }

        try
        {
            _socket = await accepting.ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            throw new CheckFailure($"it did not connect to TRANSPORT_ENDPOINT within {_patience.TotalSeconds:0.#} s");
        }

        await UntilAsync(() => Greeting.Count > 0, "Hello").ConfigureAwait(false);
        Expect(Greeting.GetValueOrDefault("protocol") is "transport", "Hello has protocol \"transport\"");
        Expect(Greeting.GetValueOrDefault("min") is long and <= 1 && Greeting.GetValueOrDefault("max") is long and >= 1,
            "Hello offers version 1: min <= 1 <= max");
        Expect(Greeting.GetValueOrDefault("secret") is byte[] { Length: 32 } secret
            && Convert.ToHexString(secret).Equals(_secret, StringComparison.OrdinalIgnoreCase), "Hello has the secret as bin of 32 bytes");
    }

    private async Task HandleAsync(CancellationToken cancellationToken)
    {
        if (await ReadAsync(cancellationToken).ConfigureAwait(false) is not (int lane, int type, byte[] body))
        {
            IsAtEnd = true;
            return;
        }

        Expect((Greeting.Count == 0) == (type == Hello), $"Hello comes first, and once (a packet of type {type} arrived)");
        if (lane == 0)
        {
            await TakeControlAsync(type, body).ConfigureAwait(false);
            return;
        }

        Expect(Farewell is null, "no packet of lanes 1 to 3 comes behind Goodbye");
        Received++;
        LogEvents += type == LogEvent.PacketType.Id ? 1 : 0;
        TakePacket(type, body);
        if (type == Request && !_hasSaidGoodbye)
        {
            await FrameAsync(lane, Response, UnknownTypeResponse(body)).ConfigureAwait(false);
        }

        if (Received - _reported >= 100)
        {
            await ReportAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Writes what a main node answers to a request for which it has no handler.</summary>
    private static byte[] UnknownTypeResponse(byte[] request)
    {
        var reader = new PacketReader(request);
        _ = reader.ReadArrayHeader(4);
        var output = new ArrayBufferWriter<byte>();
        var writer = new PacketWriter(output);
        writer.WriteArrayHeader(4);
        writer.WriteInt(reader.ReadInt64());
        writer.WriteInt(3);
        writer.WriteNil();
        writer.WriteString("transport check-worker has no handlers");
        writer.Flush();
        return output.WrittenSpan.ToArray();
    }

    private void TakePacket(int type, byte[] body)
    {
        try
        {
            if (type == LogEvent.PacketType.Id)
            {
                _ = LogEvent.PacketType.Formatter.Read(new ReadOnlySequence<byte>(body));
            }
            else if (type == OutputPacket.PacketType.Id)
            {
                _ = OutputPacket.PacketType.Formatter.Read(new ReadOnlySequence<byte>(body));
            }
            else if (type == ProgressPacket.PacketType.Id)
            {
                _ = ProgressPacket.PacketType.Formatter.Read(new ReadOnlySequence<byte>(body));
            }
            else if (type == Request)
            {
                var reader = new PacketReader(body);
                _ = reader.ReadArrayHeader(4);
                _ = reader.ReadInt64();
            }
            else if (type == Response)
            {
                var reader = new PacketReader(body);
                _ = reader.ReadArrayHeader(4);
                _ = reader.ReadInt64();
                ResponseStatus = reader.ReadInt64();
            }
        }
        catch (TransportException e)
        {
            throw new CheckFailure($"a packet of type {type} has another form than PROTOCOL.md's: {e.Message}");
        }
    }

    /// <summary>Sends Ack for what has come.</summary>
    public Task ReportAsync() => ControlAsync(Ack, ("packets", _reported = Received));

    private async Task TakeControlAsync(int type, byte[] body)
    {
        Dictionary<string, object?> fields;
        try
        {
            fields = ControlFields.Read(body);
        }
        catch (TransportException e)
        {
            throw new CheckFailure($"control packet {type} is no map with text keys: {e.Message}");
        }

        switch (type)
        {
            case Hello:
                Greeting = fields;
                break;
            case Ping:
                await ControlAsync(Pong, ("id", fields.GetValueOrDefault("id") ?? 0L)).ConfigureAwait(false);
                break;
            case Pong:
                LastPong = fields.GetValueOrDefault("id") is long id ? id : throw new CheckFailure("Pong has no id");
                break;
            case Ack:
                long count = fields.GetValueOrDefault("packets") is long packets ? packets : throw new CheckFailure("Ack has no packets");
                Expect(count >= Acknowledged && count <= Sent,
                    $"Ack counts from {Acknowledged} to {Sent}, the packets sent (it says {count})");
                Acknowledged = count;
                break;
            case Goodbye:
                Expect(Farewell is null, "Goodbye comes once");
                Farewell = fields;
                Expect(fields.GetValueOrDefault("packets") is long all && all == Received,
                    $"Goodbye counts the {Received} packets that arrived (it says {fields.GetValueOrDefault("packets")})");
                break;
        }
    }

    /// <summary>Reads one whole packet; null at the end of the stream.</summary>
    private async Task<(int Lane, int Type, byte[] Body)?> ReadAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            if (await ExactlyAsync(HeaderSize, cancellationToken).ConfigureAwait(false) is not { } header)
            {
                return null;
            }

            (int lane, bool more) = (header[1] & 3, (header[1] & More) != 0);
            int type = BinaryPrimitives.ReadUInt16BigEndian(header.AsSpan(3));
            uint length = BinaryPrimitives.ReadUInt32BigEndian(header.AsSpan(6));
            Expect(header[0] == 0x93 && header[2] == 0xcd && header[5] == 0xc6 && (header[1] & ~(3 | More)) == 0
                && length is >= 1 and <= MaxChunk, $"a frame begins 93 lane cd type c6 length (it begins {Convert.ToHexString(header)})");
            Expect((lane == 0) == (type < 256) && !(lane == 0 && more),
                $"types below 256 travel on lane 0, whole, and others on lanes 1 to 3 (type {type} arrived on lane {lane})");
            byte[] body = await ExactlyAsync((int)length, cancellationToken).ConfigureAwait(false)
                ?? throw new CheckFailure("the stream ended inside a frame");
            if (!_parts.Remove(lane, out (int Type, MemoryStream Body) part))
            {
                part = (type, new MemoryStream());
            }

            Expect(part.Type == type, $"the frames of a packet have one type (lane {lane} had {part.Type}, then {type})");
            part.Body.Write(body);
            Expect(part.Body.Length <= MaxPacket, "a packet has at most the 16 MiB that Welcome names as maxPacket");
            if (more)
            {
                _parts[lane] = part;
                continue;
            }

            body = part.Body.ToArray();
            CheckValue(type, body);
            return (lane, type, body);
        }
    }

    private static void CheckValue(int type, byte[] body)
    {
        try
        {
            var reader = new PacketReader(body);
            reader.Skip();
            reader.ReadEnd();
        }
        catch (TransportException e)
        {
            throw new CheckFailure($"the body of a packet of type {type} is not one value of MessagePack: {e.Message}");
        }
    }

    private async Task<byte[]?> ExactlyAsync(int count, CancellationToken cancellationToken)
    {
        byte[] bytes = new byte[count];
        for (int got = 0; got < count;)
        {
            int more;
            try
            {
                more = await _socket!.ReceiveAsync(bytes.AsMemory(got), cancellationToken).ConfigureAwait(false);
            }
            catch (SocketException)
            {
                more = 0;
            }

            if (more == 0)
            {
                return got == 0 ? null : throw new CheckFailure("the stream ended inside a frame");
            }

            got += more;
        }

        return bytes;
    }

    private static void Expect(bool isSo, string rule)
    {
        if (!isSo)
        {
            throw new CheckFailure("expected: " + rule);
        }
    }
}
