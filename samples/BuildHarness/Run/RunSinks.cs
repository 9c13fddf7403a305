using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using Transport;
using Transport.Logging;
using Transport.Terminal;

namespace BuildHarness.Run;

/// <summary>What a program sends and writes, as the same lines on stdout (long ones shortened) and in the log. Safe from any
/// thread.</summary>
internal sealed class RunSinks : IDisposable
{
    private readonly TextWriter _stdout;   // both take lines of the sinks and of the harness, from several threads
    private readonly TextWriter? _file;
    private readonly ConsoleSink _console;
    private readonly ConsoleSink? _log;
    private readonly string? _path;
    private readonly Action<HarnessException> _failed;
    private readonly TimeProvider _clock;
    private long _events;
    private int _reported;

    /// <param name="log">The file, or null.</param>
    /// <param name="stdout">Takes the lines; not owned.</param>
    /// <param name="failed">Called once, when the log cannot be written any more.</param>
    /// <param name="clock">The time of the lines.</param>
    /// <exception cref="HarnessException">The log cannot be made.</exception>
    public RunSinks(string? log, Stream stdout, Action<HarnessException> failed, TimeProvider clock)
    {
        _path = log;
        _failed = failed;
        _clock = clock;
        var utf8 = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
        try
        {
            _file = log is null ? null : TextWriter.Synchronized(new StreamWriter(
                new FileStream(log, FileMode.Create, FileAccess.Write, FileShare.Read), utf8, 64 << 10) { NewLine = "\n" });
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new HarnessException(WriteFault.Of("--log", log!, e), ExitCodes.RunFault);
        }

        _stdout = TextWriter.Synchronized(
            new ShorteningWriter(new StreamWriter(stdout, utf8, 16 << 10, leaveOpen: true) { NewLine = "\n" }) { NewLine = "\n" });
        _console = new ConsoleSink(_stdout);
        _log = _file is null ? null : new ConsoleSink(_file) { MaxLineLength = int.MaxValue };
    }

    public long Events => Interlocked.Read(ref _events);

    public PacketRouter AddTo(PacketRouter router, string node) => router
        .On<LogEvent>(packet =>
        {
            Interlocked.Increment(ref _events);
            _console.Write(node, packet);
            _log?.Write(node, packet);
            Check();
        })
        .On<OutputPacket>(packet => Write(node, packet))
        .On<ProgressPacket>(packet =>
        {
            _console.Write(node, packet);
            _log?.Write(node, packet);
            Check();
        });

    /// <summary>Takes a line of the program's own stdout or stderr.</summary>
    public void Write(string node, OutputLine line) => Write(node, new OutputPacket
    {
        Time = _clock.GetUtcNow(),
        Stream = line.IsError ? OutputStream.Error : OutputStream.Out,
        Text = line.Text,
        IsPartial = line.IsPartial,
    });

    /// <summary>Ends what was begun; call it after the program's end.</summary>
    public void Complete(string node)
    {
        _console.Complete(node);
        _log?.Complete(node);
        _log?.Flush();
        Check();
    }

    /// <summary>Writes lines of the harness's own, none between them.</summary>
    /// <param name="lines">What stdout gets.</param>
    /// <param name="whole">What the log gets; null: the same.</param>
    public void Block(IReadOnlyList<string> lines, IReadOnlyList<string>? whole = null)
    {
        _stdout.Write(Text(lines));
        try
        {
            _file?.Write(Text(whole ?? lines));
        }
        catch (IOException e) when (Interlocked.Exchange(ref _reported, 1) == 0)
        {
            _failed(new HarnessException(WriteFault.Of("--log", _path!, e), ExitCodes.RunFault));
        }
    }

    public void Dispose()
    {
        TryDispose(_stdout);
        TryDispose(_file);
    }

    private static string Text(IReadOnlyList<string> lines) => string.Concat(lines.Select(line => line + "\n"));

    private static void TryDispose(TextWriter? writer)
    {
        try
        {
            writer?.Dispose();
        }
        catch (IOException)
        {
            // Reported already, if it matters.
        }
    }

    private void Write(string node, OutputPacket packet)
    {
        _console.Write(node, packet);
        _log?.Write(node, packet);
        Check();
    }

    private void Check()
    {
        if (_log?.Error is { } error && Interlocked.Exchange(ref _reported, 1) == 0)
        {
            _failed(new HarnessException(WriteFault.Of("--log", _path!, error), ExitCodes.RunFault));
        }
    }
}
