using System;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using Transport.Loads.Events;

namespace Transport.Loads.Workers;

/// <summary>Encodes and decodes log events as MessagePack and by hand, in turns of some hundred microseconds, so that whatever else the
/// machine does meets all of them alike. Order: how many turns.</summary>
/// <remarks>
/// Both write the same seven fields into the same buffer through <c>IBufferWriter</c>, and read them into the same objects, with every
/// length checked against the bytes that are there. Answers the medians: nanoseconds an event of encoding, encoding by hand, decoding,
/// decoding by hand, passing over (what every receiver does to each packet before it is handled).
/// </remarks>
internal sealed class CodecJob : IJob
{
    /// <summary>So many that no branch predictor learns them by heart, as it does with a few hundred.</summary>
    private const int Events = EventCatalog.Kinds;

    private readonly LoadEvent[] _events;
    private readonly byte[][] _packed;
    private readonly byte[][] _hand;
    private readonly ReusedBuffer _output = new(64 << 10);

    public CodecJob()
    {
        var catalog = new EventCatalog();
        _events = [.. Enumerable.Range(0, Events).Select(i => catalog.Make(EventCatalog.FirstId + i))];
        new Random(20_260_101).Shuffle(_events);   // numbers that count up are learnt by heart too
        _packed = [.. _events.Select(e => Bytes(e, Encode))];
        _hand = [.. _events.Select(e => Bytes(e, EncodeByHand))];
        for (int i = 0; i < Events; i++)
        {
            if (!catalog.IsEvent(Decode(_packed[i]), _events[i].Id) || !catalog.IsEvent(DecodeByHand(_hand[i]), _events[i].Id))
            {
                throw new LoadException($"Event {_events[i].Id} does not come back as it was.");
            }
        }
    }

    public string Run(string[] order)
    {
        int turns = int.Parse(order[0], CultureInfo.InvariantCulture);
        var times = new[] { new long[turns], new long[turns], new long[turns], new long[turns], new long[turns] };
        for (int turn = 0; turn < turns; turn++)
        {
            _output.Reset();
            long start = Stopwatch.GetTimestamp();
            foreach (LoadEvent e in _events)
            {
                Encode(_output, e);
            }

            times[0][turn] = Stopwatch.GetTimestamp() - start;
            _output.Reset();
            start = Stopwatch.GetTimestamp();
            foreach (LoadEvent e in _events)
            {
                EncodeByHand(_output, e);
            }

            times[1][turn] = Stopwatch.GetTimestamp() - start;
            start = Stopwatch.GetTimestamp();
            foreach (byte[] bytes in _packed)
            {
                Decode(bytes);
            }

            times[2][turn] = Stopwatch.GetTimestamp() - start;
            start = Stopwatch.GetTimestamp();
            foreach (byte[] bytes in _hand)
            {
                DecodeByHand(bytes);
            }

            times[3][turn] = Stopwatch.GetTimestamp() - start;
            start = Stopwatch.GetTimestamp();
            foreach (byte[] bytes in _packed)
            {
                new PacketReader(bytes).Skip();
            }

            times[4][turn] = Stopwatch.GetTimestamp() - start;
        }

        return string.Join(' ', times.Select(t =>
        {
            Array.Sort(t);
            return (t[turns / 2] * 1e9 / Stopwatch.Frequency / Events).ToString("f2", CultureInfo.InvariantCulture);
        }));
    }

    public void Dispose()
    {
        // Holds nothing.
    }

    private static void Encode(ReusedBuffer output, LoadEvent e)
    {
        output.KeepCapacity(HandCodec.MaxSize);
        LoadEventFormatter.Type.Formatter.Write(output, e);
    }

    private static void EncodeByHand(ReusedBuffer output, LoadEvent e)
    {
        output.KeepCapacity(HandCodec.MaxSize);
        System.Buffers.IBufferWriter<byte> writer = output;
        writer.Advance(HandCodec.Write(writer.GetSpan(HandCodec.MaxSize), e));
    }

    private static LoadEvent Decode(byte[] bytes) =>
        LoadEventFormatter.Type.Formatter.Read(new System.Buffers.ReadOnlySequence<byte>(bytes));

    private static LoadEvent DecodeByHand(byte[] bytes) => HandCodec.Read(bytes, out LoadEvent? e) > 0 ? e!
        : throw new LoadException("An event is cut off.");

    private static byte[] Bytes(LoadEvent e, Action<ReusedBuffer, LoadEvent> encode)
    {
        var output = new ReusedBuffer(HandCodec.MaxSize);
        encode(output, e);
        return output.Written.ToArray();
    }
}
