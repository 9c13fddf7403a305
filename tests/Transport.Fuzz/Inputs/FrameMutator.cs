using System;
using System.Collections.Generic;
using Transport.Testing.Links;

namespace Transport.Fuzz.Inputs;

/// <summary>Changes a stream of frames frame by frame, keeping the headers valid, so that what lies behind them is reached too.</summary>
internal sealed class FrameMutator(Prng random)
{
    private static readonly int[] Types =
    [
        1, 2, 4, 5, 6, 7, 8, 9, 10, 256, 257, 258, 259, 260, 261, 272, 273, 274, 275, 276, 512, 513, 514, 515, 517, 575, 1024, 1025,
        1031, 2000,
    ];
    private readonly Mutator _bytes = new(random);

    public byte[] Mutate(byte[] input, byte[] other)
    {
        if (random.OneIn(4))
        {
            return _bytes.Mutate(input, other);
        }

        List<RawFrame> frames = Valid(input);
        List<RawFrame> others = Valid(other);
        for (int steps = 1 + random.Below(3); steps > 0; steps--)
        {
            Step(frames, others);
        }

        var stream = new List<byte>();
        foreach (RawFrame frame in frames)
        {
            stream.AddRange(RawFrame.Bytes(frame.LaneByte, frame.Type, frame.Body));
            if (stream.Count > Mutator.Largest)
            {
                break;
            }
        }

        return [.. stream];
    }

    /// <summary>Gets the frames up to the first that is none.</summary>
    private static List<RawFrame> Valid(byte[] stream)
    {
        var frames = new List<RawFrame>();
        for (int at = 0; at + 10 < stream.Length && frames.Count < 64;)
        {
            int length = (stream[at + 7] << 16) | (stream[at + 8] << 8) | stream[at + 9];
            if (stream[at] != 0x93 || length is 0 or > 65_536 || at + 10 + length > stream.Length)
            {
                break;
            }

            frames.Add(new RawFrame(stream[at + 1], (stream[at + 3] << 8) | stream[at + 4], stream.AsSpan(at + 10, length).ToArray()));
            at += 10 + length;
        }

        return frames;
    }

    private void Step(List<RawFrame> frames, List<RawFrame> others)
    {
        int at = random.Below(frames.Count + 1);
        bool any = at < frames.Count;
        switch (random.Below(9))
        {
            case 0 or 1 or 2 when any:
                frames[at] = frames[at] with { Body =
                    Sized(_bytes.Mutate(frames[at].Body, others.Count > 0 ? others[random.Below(others.Count)].Body : [])) };
                break;
            case 3 when any:
                frames[at] = frames[at] with { Type = random.Pick(Types) };
                break;
            case 4 when any:
                frames[at] = frames[at] with { LaneByte = (byte)(random.Below(4) | (random.OneIn(3) ? RawFrame.More : 0)) };
                break;
            case 5 when any:
                frames.RemoveAt(at);
                break;
            case 6 when any:
                frames.Insert(random.Below(frames.Count + 1), frames[at]);
                break;
            case 7 when others.Count > 0:
                frames.Insert(at, others[random.Below(others.Count)]);
                break;
            default:
                frames.Insert(at, Fresh());
                break;
        }
    }

    private RawFrame Fresh()
    {
        int type = random.Pick(Types);
        var body = new List<byte>();
        Tokens.Value(body, random, depth: 4);
        return new RawFrame((byte)(type < 256 ? 0 : 1 + random.Below(3)), type, Sized([.. body]));
    }

    private static byte[] Sized(byte[] body) => body.Length == 0 ? [0xc0] : body.Length > 65_536 ? body.AsSpan(0, 65_536).ToArray() : body;
}
