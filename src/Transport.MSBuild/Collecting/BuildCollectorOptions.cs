using System;

namespace Transport.MSBuild;

/// <summary>Options of a <see cref="BuildCollector"/>.</summary>
public sealed record BuildCollectorOptions
{
    /// <summary>Gets the folder of the journal in which the events are stored, for processes that look for running builds
    /// (<see cref="BuildNote.RunningJournals"/>).</summary>
    /// <value>The default is null: there is none.</value>
    public string? Journal { get; init; }

    /// <summary>Gets a value indicating whether the collector is for the MSBuild processes of one command: only loggers that are given
    /// <see cref="BuildCollector.ConnectionFile"/> are let in, and all of them are one build, named build, build.s2, ….</summary>
    /// <value>The default is false: any logger of this user that names no collector comes too, each build under a name of its
    /// own.</value>
    public bool IsForOneCommand { get; init; }

    /// <summary>Gets how many links may be open at once, of builds and of their nodes. Each has two threads.</summary>
    /// <value>1 to 4,096; the default is 256. While so many are open, no further build is let in, which is reported.</value>
    public int MaxLinks { get; init; } = 256;

    /// <summary>Gets the function that takes a line for a person about a build that cannot be collected; on any thread.</summary>
    /// <value>The default is null: nobody.</value>
    public Action<string>? Report { get; init; }
}
