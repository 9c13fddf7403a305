using System;
using System.Collections.Generic;
using Transport.MSBuild;

namespace Transport.Tool;

/// <summary>Whether a build has succeeded, as far as its events say: each MSBuild process that began has ended, and none has failed. One
/// thread.</summary>
internal sealed class BuildVerdict
{
    private readonly HashSet<string> _open = new(StringComparer.Ordinal);
    private bool _hasEnded, _hasFailed;

    /// <summary>Gets whether the build has succeeded; null: a process of it has not ended, or none has begun.</summary>
    public bool? Succeeded => _hasFailed ? false : _hasEnded && _open.Count == 0 ? true : null;

    /// <summary>Takes an event.</summary>
    /// <param name="journalNode">The node of the journal.</param>
    /// <param name="one">The event.</param>
    public void Take(string journalNode, BuildEvent one)
    {
        if (one.Kind == BuildEventKind.BuildStarted)
        {
            _open.Add(journalNode);
        }
        else if (one.Kind == BuildEventKind.BuildFinished)
        {
            _open.Remove(journalNode);
            _hasEnded = true;
            _hasFailed |= !one.Flag("Succeeded");
        }
    }
}
