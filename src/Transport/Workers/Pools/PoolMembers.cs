using System.Collections.Generic;
using System.Linq;

namespace Transport;

/// <summary>The connected workers of a pool, and the choice among them. Under the pool's lock.</summary>
/// <param name="takesTurns">One after the other; otherwise the least busy is chosen.</param>
internal sealed class PoolMembers(bool takesTurns)
{
    private readonly List<PoolMember> _members = [];
    private long _turn;

    /// <summary>Gets the members whose links are open.</summary>
    public IEnumerable<PoolMember> Open => _members.Where(static member => member.Link.IsOpen);

    public void Add(PoolMember member) => _members.Add(member);

    public void Remove(WorkerProcess worker) => _members.RemoveAll(member => member.Worker == worker);

    /// <summary>Chooses who is next; null: nobody is connected.</summary>
    public PoolMember? Next()
    {
        PoolMember? next = null;
        foreach (PoolMember member in Open)
        {
            next = next is null || IsBefore(member, next) ? member : next;
        }

        if (next is not null)
        {
            next.Turn = ++_turn;
        }

        return next;
    }

    private bool IsBefore(PoolMember one, PoolMember other)
    {
        if (takesTurns)
        {
            return one.Turn < other.Turn;
        }

        return (one.Waiting, one.Link.Counters.QueuedBytes, one.Turn)
            .CompareTo((other.Waiting, other.Link.Counters.QueuedBytes, other.Turn)) < 0;
    }
}
