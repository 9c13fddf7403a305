using System;
using System.IO;
using System.Text;
using System.Threading;

namespace Transport.Tool;

/// <summary>The build's own output, passed on as it is: stdout to stdout, stderr to stderr. Safe from any thread. Never throws: a reader
/// that has gone away is no concern of the build.</summary>
internal sealed class BuildOutput : IDisposable
{
    private readonly Lock _gate = new();
    private readonly Stream _stdout = Console.OpenStandardOutput(), _stderr = Console.OpenStandardError();

    public void Write(OutputLine line)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(line.IsPartial ? line.Text : line.Text + "\n");
        lock (_gate)
        {
            try
            {
                (line.IsError ? _stderr : _stdout).Write(bytes);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or ObjectDisposedException)
            {
                // A full disk behind stdout, say: the events and the exit code are still there.
            }
        }
    }

    public void Dispose()
    {
        _stdout.Dispose();
        _stderr.Dispose();
    }
}
