using System;
using System.IO;
using System.Linq;
using Microsoft.Extensions.Logging;
using NUnit.Framework;
using Transport.Logging;
using Transport.Tests.Packets;

namespace Transport.Tests.Logging;

/// <summary>The log packets against bytes that python3-msgpack wrote.</summary>
public sealed class LogGoldenTests
{
    private static readonly DateTimeOffset Time = new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero).AddTicks(1_234_567);

    [Test]
    public void A_full_event_reads_and_writes_as_another_implementation_has_it()
    {
        LogEvent e = LogBytes.Read(LogEvent.PacketType, Golden("log-full.bin"));
        Assert.Multiple(() =>
        {
            Assert.That(e.Time, Is.EqualTo(Time));
            Assert.That(e.Time.Offset, Is.EqualTo(TimeSpan.Zero));
            Assert.That(e.Level, Is.EqualTo(LogLevel.Warning));
            Assert.That(e.Category, Is.EqualTo("Compiler"));
            Assert.That(e.EventId, Is.EqualTo(1001));
            Assert.That(e.Message, Is.EqualTo("Größe \ud83d\ude00 überschritten\nzweite Zeile"));
            Assert.That(e.Context, Is.EqualTo(new[] { 7, 300, -1 }));
            Assert.That(e.Properties, Is.EqualTo(new LogProperty[]
            {
                new("file", "src/a.cs"), new("line", 12L), new("big", long.MinValue), new("ratio", 0.5),
                new("ok", true), new("nothing", default), new("{OriginalFormat}", "Größe {file}"),
            }));
            Assert.That(e.Exception, Is.EqualTo("System.Exception: kaputt\n   at A.B()"));
        });
        Same("log-full.bin", LogEvent.PacketType, e);
    }

    [Test]
    public void The_least_event_reads_and_writes_the_same()
    {
        LogEvent e = LogBytes.Read(LogEvent.PacketType, Golden("log-least.bin"));
        Assert.Multiple(() =>
        {
            Assert.That(e.Time, Is.EqualTo(new DateTimeOffset(1970, 1, 1, 0, 0, 0, TimeSpan.Zero)));
            Assert.That(e.Level, Is.EqualTo(LogLevel.Trace));
            Assert.That(e.Category, Is.Empty);
            Assert.That(e.Context, Is.Null);
            Assert.That(e.Properties, Is.Empty);
            Assert.That(e.Exception, Is.Null);
        });
        Same("log-least.bin", LogEvent.PacketType, e);
    }

    [Test]
    public void An_event_with_scopes_and_no_name_reads_and_writes_the_same()
    {
        LogEvent e = LogBytes.Read(LogEvent.PacketType, Golden("log-scopes.bin"));
        Assert.Multiple(() =>
        {
            Assert.That(e.EventName, Is.Null);
            Assert.That(e.Scopes.Select(s => s.Text), Is.EqualTo(new[] { "Build 5 of a.sln", "plain", null }));
            Assert.That(e.Scopes.Select(s => s.Properties.Count), Is.EqualTo(new[] { 2, 0, 1 }));
            Assert.That(e.Scopes[0].Properties[0], Is.EqualTo(new LogProperty("Id", 5L)));
        });
        Same("log-scopes.bin", LogEvent.PacketType, e);
    }

    [Test]
    public void An_event_in_a_trace_reads_and_writes_the_same_and_no_trace_of_another_length_is_one()
    {
        byte[] bytes = Golden("log-trace.bin");
        LogEvent e = LogBytes.Read(LogEvent.PacketType, bytes);
        Assert.That(
            (e.TraceId.ToHexString(), e.SpanId.ToHexString()), Is.EqualTo(("0102030405060708090a0b0c0d0e0f10", "1112131415161718")));
        Same("log-trace.bin", LogEvent.PacketType, e);
        bytes[bytes.Length - 25] = 23;   // the length of the last element
        TransportException wrong = Assert.Throws<TransportException>(
            () => LogBytes.Read(LogEvent.PacketType, [.. bytes.Take(bytes.Length - 1)]))!;
        Assert.That(wrong.Message, Does.Contain("expected 24 bytes of a trace, got 23"));
    }

    [Test]
    public void An_event_of_a_later_version_loses_nothing_that_can_be_shown()
    {
        LogEvent e = LogBytes.Read(LogEvent.PacketType, Golden("log-later.bin"));
        Assert.Multiple(() =>
        {
            Assert.That(e.Level, Is.EqualTo(LogLevel.Critical));
            Assert.That((e.EventId, e.EventName), Is.EqualTo((-5, "new")));
            Assert.That(e.Scopes.Select(s => s.Text), Is.EqualTo(new[] { "Build 5", null }), "of its four more elements three are known");
            Assert.That(e.Scopes[1].Properties, Is.EqualTo(new LogProperty[] { new("File", "a.cs") }));
            Assert.That(e.Context, Is.Empty);
            Assert.That(e.Properties.Select(p => $"{p.Name}={p.Value}"), Is.EqualTo(new[]
            {
                "list=[1, two, null, {three: 3.5}]", "bytes=AP8=", "unsigned=18446744073709551615",
                "time=2026-01-01T00:00:00.1234567+00:00", "other=ext 42 YWI=",
            }));
        });
    }

    [Test]
    public void Output_reads_and_writes_the_same()
    {
        OutputPacket o = LogBytes.Read(OutputPacket.PacketType, Golden("output.bin"));
        Assert.Multiple(() =>
        {
            Assert.That(o.Time, Is.EqualTo(Time));
            Assert.That(o.Stream, Is.EqualTo(OutputStream.Error));
            Assert.That(o.Text, Is.EqualTo("error: ü"));
            Assert.That(o.IsPartial, Is.True);
            Assert.That(o.Context, Is.EqualTo(new[] { 1, 2 }));
        });
        Same("output.bin", OutputPacket.PacketType, o);
        Same("output-least.bin", OutputPacket.PacketType, new OutputPacket { Time = Time, Stream = OutputStream.Out, Text = string.Empty });
    }

    [Test]
    public void Progress_reads_and_writes_the_same()
    {
        ProgressPacket p = LogBytes.Read(ProgressPacket.PacketType, Golden("progress.bin"));
        Assert.That((p.Time, p.Id, p.Done, p.Total, p.Text), Is.EqualTo((Time, 12L, 34L, (long?)5_000_000_000, "compiling")));
        Same("progress.bin", ProgressPacket.PacketType, p);
        Assert.That(LogBytes.Read(ProgressPacket.PacketType, Golden("progress-open.bin")).Total, Is.Null);
        Same("progress-open.bin", ProgressPacket.PacketType, new ProgressPacket { Time = Time, Id = 0, Done = 0 });
    }

    private static byte[] Golden(string name) => File.ReadAllBytes(SourceTree.Find(Path.Combine("golden", name)));

    private static void Same<T>(string name, PacketType<T> type, T packet) =>
        Assert.That(Packed.Hex(LogBytes.Of(type, packet)), Is.EqualTo(Packed.Hex(Golden(name))), name);
}
