using System.Collections.Generic;
using Transport.Fuzz.Inputs;
using Transport.Fuzz.Targets;

namespace Transport.Fuzz.Running;

/// <summary>One target's inputs worth changing: its seeds, and what did something new.</summary>
internal sealed class Corpus
{
    private const int Most = 4096;
    private readonly FuzzTarget _target;
    private readonly Prng _random;
    private readonly Mutator _bytes;
    private readonly FrameMutator _frames;
    private readonly List<byte[]> _kept = [];
    private readonly HashSet<ulong> _seen = [];
    private int _nextSeed;

    public Corpus(FuzzTarget target, ulong seed)
    {
        _target = target;
        _random = new Prng(seed ^ Fingerprint.Of(target.Name));
        _bytes = new Mutator(_random);
        _frames = new FrameMutator(_random);
        _kept.AddRange(target.Seeds());
        Seeds = _kept.Count;
    }

    /// <summary>Gets how many inputs it began with.</summary>
    public int Seeds { get; }

    /// <summary>Gets how many different things were seen to happen.</summary>
    public int Novelties => _seen.Count;

    /// <summary>Gives the next input: first every seed as it is, then changed ones, now and then something made of tokens alone.</summary>
    public byte[] Next()
    {
        if (_nextSeed < Seeds)
        {
            return _kept[_nextSeed++];
        }

        if (!_target.TakesFrames && _random.OneIn(16))
        {
            var value = new List<byte>();
            Tokens.Value(value, _random, depth: 5);
            return [.. value];
        }

        // What was found last is as likely as all that was found before.
        byte[] input = _random.OneIn(2) ? _kept[_random.Below(_kept.Count)]
            : _kept[_kept.Count - 1 - _random.Below(System.Math.Min(_kept.Count, 64))];
        byte[] other = _kept[_random.Below(_kept.Count)];
        return _target.TakesFrames ? _frames.Mutate(input, other) : _bytes.Mutate(input, other);
    }

    /// <summary>Keeps an input that did something new.</summary>
    public void Note(byte[] input, ulong print)
    {
        if (_seen.Count < 1 << 20 && _seen.Add(print ^ ((ulong)BucketOf(input.Length) << 56)) && _kept.Count < Most)
        {
            _kept.Add(input);
        }
    }

    private static int BucketOf(int length) => length switch
    {
        < 16 => 0,
        < 256 => 1,
        < 65_536 => 2,
        _ => 3,
    };
}
