using System;
using System.Threading.Tasks;

namespace Transport.Loads.TaskHosts;

/// <summary>Several task hosts in a process of their own, as the node sees them that asks: each has one request at a time.</summary>
internal interface IHosts : IDisposable
{
    /// <summary>Gets the bytes that went over the wire in both directions so far; 0 if the column does not count them.</summary>
    long WireBytes { get; }

    /// <summary>Gets how many log packets came so far.</summary>
    long Logs { get; }

    /// <summary>Asks one of the hosts.</summary>
    /// <returns>The response, which has been checked.</returns>
    Task AskAsync(int host, int number);
}
