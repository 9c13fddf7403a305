using System;
using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Threading;

namespace Transport.Logging;

/// <summary>Sends what this process writes to its standard output and standard error to the main node, as whole lines
/// (<see cref="OutputPacket"/>).</summary>
/// <remarks>
/// <para>On Linux and macOS the descriptors themselves are redirected, so prints of native code and of child processes come too; on Windows
/// only what is written through <see cref="Console"/>. Start it early: a writer taken from <see cref="Console"/> before keeps its way to
/// the original stream.</para>
/// <para>A thread of its own reads the streams. A line that finds no capacity in the link's queue waits
/// (<see cref="StdioCaptureOptions.SendDeadline"/>), then is dropped and counted. Once the link has ended, lines go to the original
/// streams. A line of more than 64 KiB comes in pieces, all but the last marked partial.</para>
/// <para>An unhandled exception gives the streams back before the runtime prints it, so that its last output reaches the process that
/// started the process. What a process prints in the instant of a native crash (stack overflow, abort) is lost with it; leave
/// <see cref="StdioCaptureOptions.Stderr"/> off if that matters more. An event listener that prints something for each packet of this
/// library would make a line of each line: give it a file.</para>
/// </remarks>
public sealed class StdioCapture : IDisposable
{
    private readonly Func<OutputPacket, TimeSpan, SendResult> _send;
    private readonly StdioCaptureOptions _options;
    private readonly IStdioSource _source;
    private readonly object _lock = new();   // over the fields below; nobody is called while it is held
    private int[]? _context;
    private long _sent;
    private long _dropped;
    private Stopwatch? _stopping;            // since disposing has begun

    private StdioCapture(Func<OutputPacket, TimeSpan, SendResult> send, StdioCaptureOptions options)
    {
        _send = send;
        _options = options;
        LineSplitter? stdout = options.Stdout ? new LineSplitter((text, partial) => Take(OutputStream.Out, text, partial)) : null;
        LineSplitter? stderr = options.Stderr ? new LineSplitter((text, partial) => Take(OutputStream.Error, text, partial)) : null;
        _source = RuntimeInformation.IsOSPlatform(OSPlatform.Windows) ? new ConsoleSource(stdout, stderr)
            : new DescriptorSource(stdout, stderr);
        AppDomain.CurrentDomain.ProcessExit += OnProcessEnd;
        AppDomain.CurrentDomain.UnhandledException += OnProcessEnd;
        _source.Start();
    }

    /// <summary>Gets how many packets the link's queue has taken.</summary>
    public long Sent
    {
        get
        {
            lock (_lock)
            {
                return _sent;
            }
        }
    }

    /// <summary>Gets how many lines, or pieces of lines, were dropped: no capacity within the deadline, or larger than the peer
    /// takes.</summary>
    public long Dropped
    {
        get
        {
            lock (_lock)
            {
                return _dropped;
            }
        }
    }

    /// <summary>Gets or sets the numbers that say where the lines read from now on belong, or null. Not copied: leave the array alone. Any
    /// thread.</summary>
    public int[]? Context
    {
        get
        {
            lock (_lock)
            {
                return _context;
            }
        }

        set
        {
            lock (_lock)
            {
                _context = value;
            }
        }
    }

    /// <summary>Takes over this process's output streams.</summary>
    /// <param name="sender">The link to the main node, or another sender of packets; it stays the caller's. Dispose the capture before
    /// it.</param>
    /// <param name="options">The options, or null for the defaults.</param>
    /// <returns>The capture; dispose it to give the streams back.</returns>
    /// <exception cref="ArgumentException">An option cannot be used; the message names every one.</exception>
    /// <exception cref="System.IO.IOException">The system has no descriptors left.</exception>
    public static StdioCapture Start(IPacketSender sender, StdioCaptureOptions? options = null)
    {
        if (sender is null)
        {
            throw new ArgumentNullException(nameof(sender));
        }

        // A line that finds no capacity in time is given up: it is counted as dropped, not as answered Full.
        return Start(
            (output, deadline) => sender.Send(OutputPacket.PacketType, output, deadline) is var result and not SendResult.Full ? result
                : sender.TrySend(OutputPacket.PacketType, output, lane: null, LanePolicy.Drop),
            options);
    }

    internal static StdioCapture Start(Func<OutputPacket, TimeSpan, SendResult> send, StdioCaptureOptions? options) =>
        new(send, (options ?? new StdioCaptureOptions()).CheckedCopy());

    /// <summary>Gives the streams back and sends what was written until now; takes no longer than
    /// <see cref="StdioCaptureOptions.SendDeadline"/> and some seconds.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            if (_stopping is not null)
            {
                return;
            }

            _stopping = Stopwatch.StartNew();
        }

        AppDomain.CurrentDomain.ProcessExit -= OnProcessEnd;
        AppDomain.CurrentDomain.UnhandledException -= OnProcessEnd;
        _source.Stop(_options.SendDeadline);
    }

    private void OnProcessEnd(object? sender, EventArgs e) => Dispose();

    private void Take(OutputStream stream, string text, bool partial)
    {
        var packet = new OutputPacket { Time = _options.TimeProvider.GetUtcNow(), Stream = stream, Text = text, IsPartial = partial,
            Context = Context };
        SendResult result = TrySend(packet);
        if (result == SendResult.Closed)
        {
            _source.WriteOriginal(stream, text);
            return;
        }

        lock (_lock)
        {
            _sent += result == SendResult.Queued ? 1 : 0;
            _dropped += result == SendResult.Queued ? 0 : 1;
        }
    }

    private SendResult TrySend(OutputPacket packet)
    {
        // Once disposing has begun, all remaining lines share one deadline.
        TimeSpan left = _options.SendDeadline;
        lock (_lock)
        {
            left -= _stopping?.Elapsed ?? TimeSpan.Zero;
        }

        try
        {
            return _send(packet, left > TimeSpan.Zero ? left : TimeSpan.Zero);
        }
        catch (TransportException)
        {
            // PacketTooLarge: a peer that takes less than a piece. Counted; an exception here would end the process.
            return SendResult.Full;
        }
    }
}
