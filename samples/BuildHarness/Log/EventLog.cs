using System;
using System.Globalization;
using System.IO;
using System.Text;
using BuildHarness.Display;
using Transport;
using Transport.MSBuild;

namespace BuildHarness.Log;

/// <summary>
/// The file of <c>--log</c>: every event as text, in the order in which it came, each line whole and begun by its node. Safe from any
/// thread. A disk that fills up ends the log, not the call: <see cref="Fault"/> says so.
/// </summary>
internal sealed class EventLog : IDisposable
{
    private readonly object _gate = new();
    private readonly string _path;
    private readonly FileStream _file;
    private readonly StringBuilder _line = new();
    private readonly Action<string> _failed;
    private byte[] _bytes = new byte[64 << 10];
    private bool _closed;

    private EventLog(string path, FileStream file, Action<string> failed)
    {
        _path = path;
        _file = file;
        _failed = failed;
    }

    /// <summary>Gets why nothing more is written, or null.</summary>
    public string? Fault { get; private set; }

    /// <summary>Makes the file, or empties it.</summary>
    /// <param name="path">Where.</param>
    /// <param name="failed">Called once with a sentence, when writing fails.</param>
    /// <exception cref="HarnessException">It cannot be made.</exception>
    public static EventLog Create(string path, Action<string> failed)
    {
        try
        {
            return new EventLog(path, new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.Read, 256 << 10), failed);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new HarnessException(WriteFault.Of("--log", path, e));
        }
    }

    /// <summary>Writes an event; <paramref name="framework"/> is its project's, if that has several.</summary>
    public void Event(string node, BuildEvent one, string framework = "")
    {
        string time = new DateTime(one.Ticks, one.TimeKind).ToUniversalTime().ToString("HH:mm:ss.fff", CultureInfo.InvariantCulture);
        Lines($"{node} {time} {one.TypeName ?? one.Kind.ToString()}: ", BuildEventText.Of(one, framework));
    }

    /// <summary>Writes a text, each of its lines after the same beginning.</summary>
    public void Lines(string prefix, string text)
    {
        lock (_gate)
        {
            if (Fault is not null || _closed)
            {
                return;
            }

            try
            {
                foreach (string line in TerminalText.Lines(text))
                {
                    _line.Clear().Append(prefix).Append(line).Append('\n');
                    Write();
                }
            }
            catch (IOException e)
            {
                Fail(e);
            }
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            if (_closed)
            {
                return;
            }

            _closed = true;
            try
            {
                _file.Dispose();
            }
            catch (IOException e)
            {
                Fail(e);
            }
        }
    }

    private void Write()
    {
        foreach (ReadOnlyMemory<char> chunk in _line.GetChunks())
        {
            int most = Encoding.UTF8.GetMaxByteCount(chunk.Length);
            if (_bytes.Length < most)
            {
                _bytes = new byte[most];
            }

            _file.Write(_bytes, 0, Encoding.UTF8.GetBytes(chunk.Span, _bytes));
        }
    }

    private void Fail(IOException e)
    {
        if (Fault is null)
        {
            Fault = WriteFault.Of("--log", _path, e);
            _failed(Fault);
        }
    }
}
