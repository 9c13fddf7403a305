using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.MSBuild.Tests.Events;

[TestFixture]
internal sealed class BuildEventCodecTests
{
    [TestCase("full20.binlog", 55_250)]
    [TestCase("noop20.binlog", 53_550)]
    public void A_recorded_build_comes_back_field_by_field(string file, int events)
    {
        var formatter = new BuildEventFormatter();
        var body = new ArrayBufferWriter<byte>();
        using var before = new EventDigest();
        using var after = new EventDigest();
        long bytes = 0;
        BinaryLog.Read(Repository.Workload(file), one =>
        {
            before.Add(one);
            body.ResetWrittenCount();
            formatter.Write(body, one);
            bytes += body.WrittenCount;
            after.Add(formatter.Read(new ReadOnlySequence<byte>(body.WrittenMemory)));
        });

        Assert.That(before.Events, Is.EqualTo(events));
        Assert.That(after.Finish(), Is.EqualTo(before.Finish()));
        TestContext.Out.WriteLine($"{bytes:N0} bytes of packet bodies");
    }

    [Test]
    public void A_kind_that_is_not_known_is_said_to_be_so()
    {
        var e = Assert.Throws<TransportException>(() => Read([0x94, 0xcd, 0x03, 0xe7, 0, 0xc0, 0]));

        Assert.That(e!.Fault, Is.EqualTo(TransportFault.PacketMalformed));
        Assert.That(e.Message, Does.Contain("kind 999"));
    }

    [Test]
    public void Fewer_fields_than_the_kind_has_are_a_mistake_and_more_are_kept()
    {
        var body = new ArrayBufferWriter<byte>();
        var e = Assert.Throws<System.InvalidOperationException>(() => new BuildEventFormatter().Write(body, Sample(fields: [1L])));
        Assert.That(e!.Message, Does.Contain("Message").And.Contain("9 fields").And.Contain("has 1"));

        body.ResetWrittenCount();
        new BuildEventFormatter().Write(body, Sample(fields: [.. Enumerable.Repeat<object?>(null, 9), "new"]));
        Assert.That(Read(body.WrittenSpan.ToArray()).Fields[9], Is.EqualTo("new"));
    }

    [Test]
    public void An_event_that_is_as_usual_takes_little_more_than_its_time_and_its_texts()
    {
        var body = new ArrayBufferWriter<byte>();
        BuildEvent usual = Sample(thread: 0, help: null, message: null, sender: null, fields: [2L, null, null, null, 0L, 0L, 0L, 0L, null]);
        new BuildEventFormatter().Write(body, usual);
        Assert.That(body.WrittenSpan.ToArray(), Is.EqualTo(new byte[] { 0x95, 1, 42, 0x97, 1, 2, 3, 4, 5, 6, 7, 16, 2 }));
        Assert.That(HashOf(Read(body.WrittenSpan.ToArray())), Is.EqualTo(HashOf(usual)));
    }

    [Test]
    public void Every_field_comes_back_whatever_it_holds()
    {
        var body = new ArrayBufferWriter<byte>();
        foreach (BuildEvent one in Variants().Append(Sample()))
        {
            body.ResetWrittenCount();
            new BuildEventFormatter().Write(body, one);
            Assert.That(HashOf(Read(body.WrittenSpan.ToArray())), Is.EqualTo(HashOf(one)));
        }
    }

    [Test]
    public void Values_of_a_later_version_are_passed_over_and_missing_ones_are_malformed()
    {
        // Importance (bit 4), then bits 20 and 21, which a message does not have, then one more element.
        BuildEvent later = Read([0x98, 1, 42, 0xc0, 0xce, 0, 0x30, 0, 0x10, 2, 0xa3, 0x6e, 0x65, 0x77, 0x91, 7, 0xc3]);
        Assert.That((later.Fields[0], later.Fields.Count), Is.EqualTo((2L, 9)));
        var e = Assert.Throws<TransportException>(() => Read([0x95, 1, 42, 0xc0, 0x70, 2]));
        Assert.That((e!.Fault, e.Message),
            Is.EqualTo((TransportFault.PacketMalformed, "Build event Message: its mask 112 names 2 more values than came.")));
    }

    [Test]
    public void A_mask_below_zero_is_malformed_and_not_counted_through()
    {
        // Its bits never run out: found by the fuzzer, 6 bytes that took seconds.
        var e = Assert.Throws<TransportException>(() => Read([0x95, 0, 0, 0xc0, 0xfe, 0]));
        Assert.That((e!.Fault, e.Message),
            Is.EqualTo((TransportFault.PacketMalformed, "Build event Other: expected a mask of 0 or more, got -2.")));
    }

    [Test]
    public void Values_nested_without_end_are_malformed_not_a_full_stack()
    {
        byte[] deep = [0x95, 1, 0, 0xc0, 16, .. Enumerable.Repeat((byte)0x91, 60_000), 0xc0];

        Assert.That(Assert.Throws<TransportException>(() => Read(deep))!.Fault, Is.EqualTo(TransportFault.PacketMalformed));
    }

    [Test]
    public void A_time_that_no_calendar_has_is_malformed()
    {
        var ticks = Assert.Throws<TransportException>(() => Read([0x94, 0, 0xff, 0xc0, 0]));
        Assert.That((ticks!.Fault, ticks.Message), Is.EqualTo((TransportFault.PacketMalformed,
            "Build event Other: expected a time of 0 to 3155378975999999999 ticks, got -1.")));
        var kind = Assert.Throws<TransportException>(() => Read([0x95, 0, 0, 0xc0, 8, 0x94, 0xc0, 3, 0xc0, 0x90]));
        Assert.That((kind!.Fault, kind.Message),
            Is.EqualTo((TransportFault.PacketMalformed, "Time kind of a build event: expected 0, 1 or 2, got 3.")));
    }

    private static BuildEvent Read(byte[] body) => new BuildEventFormatter().Read(new ReadOnlySequence<byte>(body));

    private static string HashOf(BuildEvent one)
    {
        using var hash = new EventDigest();
        hash.Add(one);
        return hash.Finish();
    }

    private static IEnumerable<BuildEvent> Variants()
    {
        yield return Sample(kind: BuildEventKind.CriticalMessage);
        yield return Sample(type: "Other.Type");
        yield return Sample(ticks: 43);
        yield return Sample(time: System.DateTimeKind.Local);
        yield return Sample(thread: 6);
        yield return Sample(sender: null);
        yield return Sample(message: "said");
        yield return Sample(help: "helped");
        yield return Sample(context: Ids(task: 8));
        yield return Sample(context: null, noContext: true);
        object?[] fields = [.. Sample().Fields];
        for (int i = 0; i < fields.Length; i++)
        {
            object?[] changed = [.. fields];
            changed[i] = "changed";
            yield return Sample(fields: changed);
        }
    }

    private static BuildEventIds Ids(int task) => new()
    {
        Submission = 1, Node = 2, Evaluation = 3, ProjectInstance = 4, ProjectContext = 5, Target = 6, Task = task,
    };

    private static BuildEvent Sample(
        BuildEventKind kind = BuildEventKind.Message, string? type = null, long ticks = 42,
            System.DateTimeKind time = System.DateTimeKind.Utc,
            int thread = 5,
        string? sender = "me", string? message = "say", string? help = "help", BuildEventIds? context = null, bool noContext = false,
            object?[]? fields = null) => new()
        {
            Kind = kind,
            TypeName = type,
            Ticks = ticks,
            TimeKind = time,
            ThreadId = thread,
            Sender = sender,
            Message = message,
            HelpKeyword = help,
            Context = noContext ? null : context ?? Ids(task: 7),
            Fields = fields ?? [1L, "sub", "C1", "f.cs", 1L, 2L, 3L, 4L, new BuildEventMap([new("a", "b")])],
        };
}
