using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal;

/// <summary>What is known of one journal. The link that handles a packet of it has entered; another link's packets wait.</summary>
internal sealed class SpillEntry
{
    private readonly SemaphoreSlim _turn = new(1, 1);
    private readonly object _gate = new();
    private SpillNumber _last;

    /// <summary>Gets or sets when it was last asked for, as a count; under the receiver's lock.</summary>
    public long Used { get; set; }

    /// <summary>Gets or sets how many packets are with it or wait for it; under the receiver's lock. Not forgotten before it is 0: another
    /// entry of the same journal would let a duplicate pass.</summary>
    public int Users { get; set; }

    /// <summary>Gets the number of the last packet that was handled.</summary>
    public SpillNumber Last
    {
        get
        {
            lock (_gate)
            {
                return _last;
            }
        }
    }

    public void Set(SpillNumber number)
    {
        lock (_gate)
        {
            _last = number;
        }
    }

    public bool TryEnter() => _turn.Wait(0);

    public Task EnterAsync() => _turn.WaitAsync();

    public void Leave() => _turn.Release();
}
