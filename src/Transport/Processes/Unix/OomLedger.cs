using System;
using System.Collections.Generic;

namespace Transport;

/// <summary>Which of a control group's memory kills were workers of this main node: one kill explains one exit. Safe from any
/// thread.</summary>
internal sealed class OomLedger
{
    private readonly object _gate = new();
    private readonly Dictionary<string, long> _claimed = new(StringComparer.Ordinal);

    /// <summary>How many kills of a group were reported as a worker's end.</summary>
    public long Claimed(string file)
    {
        lock (_gate)
        {
            return _claimed.TryGetValue(file, out long claimed) ? claimed : 0;
        }
    }

    /// <summary>Takes one of the kills since an earlier look, unless others have taken all.</summary>
    public bool TryClaim(string file, long killsSince, long claimedBefore)
    {
        lock (_gate)
        {
            _ = _claimed.TryGetValue(file, out long claimed);
            if (killsSince <= claimed - claimedBefore)
            {
                return false;
            }

            _claimed[file] = claimed + 1;
            return true;
        }
    }
}
