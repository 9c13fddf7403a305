using System;

namespace Transport;

/// <summary>A caller's progress, and whether any has come: then the request was asked, whatever the caller's function throws.</summary>
internal sealed class BegunProgress<T>(IProgress<T> progress) : IProgress<T>
{
    public bool HasBegun { get; private set; }

    public void Report(T value)
    {
        HasBegun = true;
        progress.Report(value);
    }
}
