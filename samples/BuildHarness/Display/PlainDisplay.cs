using System;
using System.IO;
using System.Text;

namespace BuildHarness.Display;

/// <summary>Plain lines, for files, pipes and build servers.</summary>
internal sealed class PlainDisplay : IDisplay
{
    private readonly object _gate = new();
    private readonly Stream _output;
    private bool _silent;

    /// <summary>Initializes a new instance of the <see cref="PlainDisplay"/> class.</summary>
    /// <param name="output">Where to write; owned.</param>
    public PlainDisplay(Stream output) => _output = output;

    public string? Fault { get; private set; }

    public void Line(string text, LineKind kind = LineKind.Plain)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(OneLine.Shorten(text) + "\n");
        lock (_gate)
        {
            if (_silent)
            {
                return;
            }

            try
            {
                _output.Write(bytes);
                _output.Flush();
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or ObjectDisposedException)
            {
                _silent = true;
                Fault = IsBrokenPipe(e) ? null : $"stdout cannot be written: {e.Message}";
            }
        }
    }

    public void Node(string node, string? activity)
    {
    }

    public void Progress(int finished, int projects, long events)
    {
    }

    public void Dispose() => _output.Dispose();

    /// <summary>Whoever read our lines has seen enough (<c>| head</c>): the build goes on in silence.</summary>
    private static bool IsBrokenPipe(Exception e) => e is ObjectDisposedException || (e.HResult & 0xffff) == 32;
}
