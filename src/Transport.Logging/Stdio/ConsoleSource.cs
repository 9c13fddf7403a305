using System;
using System.IO;
using System.Text;

namespace Transport.Logging;

/// <summary>If descriptors cannot be redirected (Windows): what this process writes through <see cref="Console"/>, and nothing
/// else.</summary>
internal sealed class ConsoleSource : IStdioSource
{
    private readonly SplitterWriter? _out;
    private readonly SplitterWriter? _error;

    public ConsoleSource(LineSplitter? stdout, LineSplitter? stderr)
    {
        _out = stdout is null ? null : new SplitterWriter(stdout, Console.Out);
        _error = stderr is null ? null : new SplitterWriter(stderr, Console.Error);
    }

    public void Start()
    {
        if (_out is not null)
        {
            Console.SetOut(_out);
        }

        if (_error is not null)
        {
            Console.SetError(_error);
        }
    }

    public void Stop(TimeSpan deadline)
    {
        if (_out is not null)
        {
            Console.SetOut(_out.Original);
            _out.Finish();
        }

        if (_error is not null)
        {
            Console.SetError(_error.Original);
            _error.Finish();
        }
    }

    public void WriteOriginal(OutputStream stream, string line) => (stream == OutputStream.Error ? _error : _out)?.Original.WriteLine(line);

    private sealed class SplitterWriter(LineSplitter lines, TextWriter original) : TextWriter
    {
        private readonly object _gate = new();
        private bool _inside;

        public TextWriter Original => original;

        public override Encoding Encoding => Encoding.UTF8;

        public override void Write(char value) => Write(value.ToString());

        public override void Write(char[] buffer, int index, int count) => Write(new string(buffer, index, count));

        public override void Write(string? value)
        {
            lock (_gate)
            {
                if (_inside)
                {
                    // A print from inside the sending of a print would go round forever.
                    original.Write(value);
                    return;
                }

                _inside = true;
                try
                {
                    byte[] bytes = Encoding.UTF8.GetBytes(value ?? string.Empty);
                    lines.Feed(bytes, 0, bytes.Length);
                }
                finally
                {
                    _inside = false;
                }
            }
        }

        public override void WriteLine(string? value) => Write(value + "\n");

        public void Finish()
        {
            lock (_gate)
            {
                lines.Finish();
            }
        }
    }
}
