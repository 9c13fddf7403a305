using System.Collections.Generic;
using System.Linq;

namespace Transport;

/// <summary>Takes the connections of children that have inherited pipes. A child's counts as one that waits to be accepted once it has
/// written something: until then it starts.</summary>
internal sealed class InheritedListener : IWireListener
{
    private readonly object _gate = new();
    private readonly ListenerPoll _poll = new("for inherited pipes");
    private readonly List<InheritedWire> _offered = [];   // under the lock, as the next
    private bool _isOver;

    /// <summary>Gets an endpoint without a child: each has its own (<see cref="InheritedEnds.Endpoint"/>).</summary>
    public WireEndpoint Endpoint { get; } = new(WireKind.Inherited, string.Empty);

    /// <summary>Takes a child's wire; once it has started.</summary>
    /// <param name="wire">This side's ends; the listener's until they are accepted or withdrawn.</param>
    /// <param name="process">The child.</param>
    public void Offer(InheritedWire wire, int process)
    {
        wire.Peer = wire.Peer with { ProcessId = process };
        lock (_gate)
        {
            if (_isOver)
            {
                wire.Dispose();
                return;
            }

            _offered.Add(wire);
        }

        _poll.Wake();
    }

    /// <summary>Takes a wire back that was not accepted: its child has ended. One that was is its link's.</summary>
    public void Withdraw(InheritedWire wire)
    {
        lock (_gate)
        {
            if (!_offered.Remove(wire))
            {
                return;
            }
        }

        wire.Dispose();
        _poll.Wake();
    }

    public void Wait(IReadOnlyList<IWire> wires, ICollection<int> ready, bool accept)
    {
        int[] offered;
        lock (_gate)
        {
            offered = accept ? [.. _offered.Select(static wire => wire.Descriptor)] : [];
        }

        // One that is withdrawn meanwhile wakes the poll; until then its number may be another file's, which at worst wakes it too.
        _poll.Wait(offered, wires.Select(static wire => ((InheritedWire)wire).Descriptor), ready);
    }

    public IWire? TryAccept()
    {
        _poll.Check();
        lock (_gate)
        {
            for (int i = 0; i < _offered.Count;)
            {
                InheritedWire wire = _offered[i];
                short state = wire.Look();
                if (state == 0)
                {
                    i++;
                    continue;
                }

                _offered.RemoveAt(i);
                if ((state & PollFd.Input) != 0)
                {
                    return wire;
                }

                wire.Dispose();   // its child has ended, or closed it, and has written nothing
            }
        }

        return null;
    }

    public void Wake() => _poll.Wake();

    /// <summary>Ends a <see cref="Wait"/>; wires that nobody accepted are ended.</summary>
    public void Dispose()
    {
        _poll.Dispose();
        lock (_gate)
        {
            _isOver = true;
            _offered.ForEach(static wire => wire.Dispose());
            _offered.Clear();
        }
    }
}
