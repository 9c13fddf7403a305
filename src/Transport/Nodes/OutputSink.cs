using System;

namespace Transport.Nodes;

/// <summary>Where a child's lines go: the caller's function, one line at a time, and the last words.</summary>
/// <remarks>A function that throws is not called again (a child's output must never end its main node); its exception is kept.</remarks>
internal sealed class OutputSink(Action<OutputLine>? output)
{
    private Action<OutputLine>? _output = output;

    public LastLines LastErrors { get; } = new();

    public FatalErrorWatch FatalErrors { get; } = new();

    public Exception? Fault { get; private set; }

    /// <summary>Takes down that the output cannot be read any more.</summary>
    public void Lose(Exception why) => Fault ??= why;

    public void Take(OutputLine line)
    {
        if (line.Stream == OutputStream.Error)
        {
            LastErrors.Add(line);
        }

        FatalErrors.Take(line);

        try
        {
            _output?.Invoke(line);
        }
#pragma warning disable CA1031 // whatever the caller's function throws is the caller's to see
        catch (Exception thrown)
#pragma warning restore CA1031
        {
            Fault = thrown;
            _output = null;
        }
    }
}
