using System;
using System.IO;
using System.Text.Json;
using NUnit.Framework;
using Transport.Terminal;

namespace Transport.Tool.Tests.Builds;

/// <summary>The one writer of traces, of tool and harness.</summary>
internal sealed class ChromeTraceTests
{
    [Test]
    public void A_trace_ends_at_its_limit_and_is_whole()
    {
        using var memory = new MemoryStream();
        using (var trace = new ChromeTrace(memory, 4096))
        {
            TraceTrack track = trace.AddTrack("g", "t\n\uDC80");
            for (int i = 0; i < 1000; i++)
            {
                trace.Span(track, "span", TimeSpan.Zero, TimeSpan.FromTicks(i), "c", ("what", "x"));
            }

            Assert.That((trace.Dropped, trace.Spans, trace.Failure), Is.EqualTo((1000 - trace.Spans, trace.Spans, (Exception?)null)));
            Assert.That(trace.Dropped, Is.InRange(900, 999));
        }

        Assert.That(memory.ToArray(), Has.Length.LessThan(5000));
        using var json = JsonDocument.Parse(memory.ToArray());
        Assert.That(json.RootElement.GetProperty("otherData").GetProperty("dropped").GetInt64(), Is.GreaterThan(900));
    }

    [Test]
    public void A_trace_that_cannot_be_written_never_fails_what_it_watches()
    {
        var broken = new ChromeTrace(new MemoryStream(new byte[8], writable: true));
        broken.Count(broken.AddTrack("g", "t"), "n", TimeSpan.Zero, 1);
        Assert.That(broken.Dispose, Throws.Nothing);
        Assert.That(broken.Failure, Is.InstanceOf<NotSupportedException>());
        Assert.That(broken.Dispose, Throws.Nothing);
    }
}
