using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Fuzz.Inputs;

namespace Transport.Fuzz.Hostile;

/// <summary>A number of connections of some kinds of attack, many at once, and what the main node held before, on the way and
/// after.</summary>
internal sealed class Phase(VictimProcess victim, Attack[] attacks, int atOnce, ulong seed)
{
    private readonly Dictionary<string, Dictionary<string, int>> _ends =
        attacks.ToDictionary(a => a.Name, _ => new Dictionary<string, int>(StringComparer.Ordinal), StringComparer.Ordinal);
    private int _left;

    public Footprint Before { get; private set; } = new(0, 0, 0);

    public Footprint Most { get; private set; } = new(0, 0, 0);

    public Footprint After { get; private set; } = new(0, 0, 0);

    public double Seconds { get; private set; }

    /// <summary>Gets the real worker's packets that came meanwhile.</summary>
    public long Streamed { get; private set; }

    /// <summary>Gets, for each attack, how its connections ended and how often.</summary>
    public IReadOnlyDictionary<string, Dictionary<string, int>> Ends => _ends;

    public async Task RunAsync(int warmUp, int connections)
    {
        await AttackAsync(warmUp, seed + 1_000_000).ConfigureAwait(false);
        Before = await SettledAsync(new Footprint(0, int.MaxValue, int.MaxValue)).ConfigureAwait(false);
        _ends.Values.ToList().ForEach(ends => ends.Clear());
        long started = TimeProvider.System.GetTimestamp();
        long streamed = await victim.CountAsync().ConfigureAwait(false);
        Most = Before;
        Task all = AttackAsync(connections, seed);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(250));
        while (!all.IsCompleted && await look.WaitForNextTickAsync().ConfigureAwait(false))
        {
            Most = Most.Max(victim.Footprint);
        }

        await all.ConfigureAwait(false);
        Seconds = TimeProvider.System.GetElapsedTime(started).TotalSeconds;
        Streamed = await victim.CountAsync().ConfigureAwait(false) - streamed;
        After = await SettledAsync(Before).ConfigureAwait(false);
    }

    private static Attack Choose(Attack[] attacks, Prng random)
    {
        int at = random.Below(attacks.Sum(a => a.Weight));
        foreach (Attack attack in attacks)
        {
            at -= attack.Weight;
            if (at < 0)
            {
                return attack;
            }
        }

        return attacks[0];
    }

    /// <summary>Lets the real worker stream some more, then looks until descriptors and threads are back, 30 s at most.</summary>
    private async Task<Footprint> SettledAsync(Footprint before)
    {
        await victim.StreamAsync(20_000).ConfigureAwait(false);
        Footprint now = victim.Footprint;
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(500));
        for (int i = 0; i < 60 && !now.IsWithin(before); i++)
        {
            await look.WaitForNextTickAsync().ConfigureAwait(false);
            now = victim.Footprint;
        }

        return now;
    }

    private Task AttackAsync(int connections, ulong from)
    {
        _left = connections;
        return Task.WhenAll(Enumerable.Range(0, atOnce)
            .Select(i => Task.Run(() => AttackAsync(new Attacker(victim, new Prng(from + (ulong)i)), new Prng((from * 31) + (ulong)i)))));
    }

    private async Task AttackAsync(Attacker attacker, Prng random)
    {
        while (Interlocked.Decrement(ref _left) >= 0)
        {
            Attack attack = Choose(attacks, random);
            string end = await attacker.AttackAsync(attack).ConfigureAwait(false);
            lock (_ends)
            {
                Dictionary<string, int> ends = _ends[attack.Name];
                ends[end] = ends.TryGetValue(end, out int count) ? count + 1 : 1;
            }
        }
    }
}
