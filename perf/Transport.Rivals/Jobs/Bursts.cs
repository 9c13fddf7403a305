using System;
using System.Diagnostics;
using System.IO;
using System.IO.MemoryMappedFiles;
using System.Threading;
using System.Threading.Tasks;
using Transport.Loads;
using Transport.Loads.Scratch;

namespace Transport.Rivals.Jobs;

/// <summary>A worker that sends in bursts until it is killed, and the count of what was taken, in a file that outlives it.</summary>
internal sealed class Bursts : IDisposable
{
    /// <summary>The events of a burst, some 750 KB: what a compiler says at once.</summary>
    private const int Burst = 3_000;

    private readonly MemoryMappedFile _mapped;
    private readonly MemoryMappedViewAccessor _taken;

    private Bursts(string path, FileMode mode)
    {
        Path = path;
        _mapped = MemoryMappedFile.CreateFromFile(path, mode, null, sizeof(long));
        _taken = _mapped.CreateViewAccessor();
    }

    public string Path { get; }

    /// <summary>Gets how many sends have returned.</summary>
    public long Taken => _taken.ReadInt64(0);

    /// <summary>Makes the file.</summary>
    public static Bursts Create() => new(ScratchPath.New("count"), FileMode.Create);

    /// <summary>Sends until the process is killed.</summary>
    /// <param name="path">The file.</param>
    /// <param name="send">Sends the event of a number, from 0.</param>
    public static async Task SendAsync(string path, Func<long, ValueTask> send)
    {
        using var bursts = new Bursts(path, FileMode.Open);
        for (long count = 0; ; count++)
        {
            if (count % Burst == 0)
            {
                await Task.Delay(30).ConfigureAwait(false);
            }

            await send(count).ConfigureAwait(false);
            bursts._taken.Write(0, count + 1);
        }
    }

    /// <summary>Waits until some bursts are over and the next is in the middle.</summary>
    public void WaitForTheMiddle()
    {
        var clock = Stopwatch.StartNew();
        while (Taken < 10 * Burst || Taken % Burst is < Burst / 3 or > Burst / 2)
        {
            if (clock.Elapsed > TimeSpan.FromSeconds(30))
            {
                throw new LoadException("The sender was in the middle of no burst for 30 s.");
            }

            Thread.SpinWait(20);
        }
    }

    public void Dispose()
    {
        _taken.Dispose();
        _mapped.Dispose();
        File.Delete(Path);
    }
}
