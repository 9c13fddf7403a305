using System;
using BenchmarkDotNet.Attributes;

namespace Transport.Benchmarks;

/// <summary>Headers and cutting: what the wire costs beyond the body. Times are a frame's.</summary>
[MemoryDiagnoser]
public class FrameBenchmark
{
    private const int Frames = 1024, Body = 250;

    private readonly byte[] _stream = new byte[Frames * (FrameHeader.Size + Body)];
    private readonly FrameReader _reader = new();

    [GlobalSetup]
    public void Fill() => WriteHeaders();

    [Benchmark(OperationsPerInvoke = Frames)]
    public void WriteHeaders()
    {
        for (int at = 0; at < _stream.Length; at += FrameHeader.Size + Body)
        {
            FrameHeader.Write(_stream.AsSpan(at), Lane.Normal, more: false, 256, Body);
        }
    }

    [Benchmark(OperationsPerInvoke = Frames)]
    public int CutFrames()
    {
        int bytes = 0;
        _reader.Feed(_stream, 0, _stream.Length);
        while (_reader.TryRead(out Frame frame))
        {
            bytes += frame.Length;
        }

        return bytes;
    }
}
