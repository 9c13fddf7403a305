using System;
using System.Collections.Generic;
using System.Diagnostics;

namespace Transport;

/// <summary>Distinguishes the kernel's kill for lack of memory from every other SIGKILL, by the count that the process's control group
/// keeps. Safe from any thread.</summary>
/// <remarks>
/// <para>The kernel counts before it sends the signal. So: more kills at the end than at an earlier look, and not all of them other
/// workers' ends, means that this process was killed by it. The look must be late, or an old kill of somebody else in the group would
/// count; and not so late that the kill has begun already. So a look is taken at most every two seconds, and the one before the last counts
/// if the last is younger than that.</para>
/// <para>Version 1 of control groups shows an ended process at the root, so whether it had moved since the last look is not known: then
/// only "yes" is said, never "no".</para>
/// </remarks>
internal sealed class OomWatch
{
    private static readonly long Apart = 2 * Stopwatch.Frequency;
    private readonly object _gate = new();
    private readonly Dictionary<string, (Look? Older, Look Last)> _looks = new(StringComparer.Ordinal);
    private readonly ControlGroup _groups;
    private readonly OomLedger _ledger;
    private readonly int _pid;
    private readonly Func<long> _clock;
    private string? _file;
    private bool _isLegacy;
    private long _lookedAt;
    private (Look Before, long Kills)? _end;

    /// <param name="pid">The process, just started.</param>
    /// <param name="ledger">Shared by all that may die in the same groups.</param>
    /// <param name="groups">What the system shows.</param>
    /// <param name="clock">Timestamps of <see cref="Stopwatch"/>; null: its own.</param>
    public OomWatch(int pid, OomLedger ledger, ControlGroup groups, Func<long>? clock = null)
    {
        (_pid, _ledger, _groups, _clock) = (pid, ledger, groups, clock ?? Stopwatch.GetTimestamp);
        Take(_clock());
    }

    /// <summary>Looks again, so that kills before this are not taken for this process's own; costs some 50 µs, and nothing within two
    /// seconds of the last time.</summary>
    /// <param name="moved">The process may have been put into another group: looks in any case.</param>
    public void LookAgain(bool moved = false)
    {
        lock (_gate)
        {
            long now = _clock();
            if (moved || now - _lookedAt >= Apart)
            {
                Take(now);
            }
        }
    }

    /// <summary>The process has ended and was not waited for yet: the last moment at which version 2 says where it was.</summary>
    public void LookAtEnd()
    {
        lock (_gate)
        {
            string? file = _groups.Find(_pid, out _isLegacy);
            file = _isLegacy ? _file : file;
            _end = file is not null && LookFor(file) is { } before && ControlGroup.Kills(before.File) is { } kills ? (before, kills) : null;
        }
    }

    /// <summary>Checks whether the kernel killed it for lack of memory. Once, and only of a process that died of a SIGKILL that this one
    /// did not send.</summary>
    /// <returns>Null if that cannot be known.</returns>
    public bool? Verdict()
    {
        lock (_gate)
        {
            return _end is not { } end ? null
                : _ledger.TryClaim(end.Before.File, end.Kills - end.Before.Kills, end.Before.Claimed) ? true
                : _isLegacy ? null : false;
        }
    }

    private void Take(long now)
    {
        _file = _groups.Find(_pid, out _isLegacy);
        if (_file is null || ControlGroup.Kills(_file) is not { } kills)
        {
            return;
        }

        var look = new Look(_file, kills, _ledger.Claimed(_file), now);
        bool known = _looks.TryGetValue(_file, out (Look? Older, Look Last) before);
        if (!known || now - before.Last.Time >= Apart)
        {
            _looks[_file] = (known ? before.Last : null, look);
        }

        _lookedAt = now;
    }

    /// <summary>The look that counts for a group; in version 2 one at a group above it will do, whose count has those below in
    /// it.</summary>
    private Look? LookFor(string file)
    {
        (Look? Older, Look Last)? best = null;
        foreach ((Look? Older, Look Last) looks in _looks.Values)
        {
            bool fits = looks.Last.File == file
                || (!_isLegacy && FolderOf(file).StartsWith(FolderOf(looks.Last.File), StringComparison.Ordinal));
            if (fits && (best is not { } other || looks.Last.File.Length > other.Last.File.Length))
            {
                best = looks;
            }
        }

        return best is not { } found ? null : found.Older is not null && _clock() - found.Last.Time < Apart ? found.Older : found.Last;
    }

    private static string FolderOf(string file) => file.Substring(0, file.LastIndexOf('/') + 1);

    private sealed record Look(string File, long Kills, long Claimed, long Time);
}
