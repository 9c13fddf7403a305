using System;

namespace Transport;

/// <summary>Where a child's lines go: the caller's function, one line at a time, and the last output.</summary>
/// <remarks>A function that throws gets the next lines all the same (a child's output must never end its main node); its first exception is
/// kept.</remarks>
internal sealed class OutputSink(Action<OutputLine>? output)
{
    private readonly object _gate = new();
    private long _lines;     // both under the gate
    private bool _isTaking;

    public LastLines LastErrors { get; } = new();

    public FatalErrorWatch FatalErrors { get; } = new();

    public Exception? Fault { get; private set; }

    /// <summary>Gets how many lines have come, and whether the function has a line and has not returned. Safe from any thread.</summary>
    public (long Lines, bool IsTaking) Progress
    {
        get
        {
            lock (_gate)
            {
                return (_lines, _isTaking);
            }
        }
    }

    /// <summary>Takes down that the output cannot be read any more.</summary>
    public void Lose(Exception why) => Fault ??= why;

    public void Take(OutputLine line)
    {
        if (line.IsError)
        {
            LastErrors.Add(line);
        }

        FatalErrors.Take(line);
        lock (_gate)
        {
            _lines++;
            _isTaking = true;
        }

        try
        {
            output?.Invoke(line);
        }
#pragma warning disable CA1031 // whatever the caller's function throws is the caller's to see
        catch (Exception thrown)
#pragma warning restore CA1031
        {
            Fault ??= thrown;
        }
        finally
        {
            lock (_gate)
            {
                _isTaking = false;
            }
        }
    }
}
