using System;
using NUnit.Framework;
using Transport.Loads.Events;

namespace Transport.Loads.Tests;

/// <summary>A load that cannot notice a fault proves nothing: each receiver's check is shown to fail.</summary>
[TestFixture]
public sealed class SinkTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(90);

    [Test]
    public void An_event_that_changed_or_came_out_of_order_is_noticed([Values] bool changed)
    {
        var catalog = new EventCatalog();
        using var sink = new EventSink(catalog);
        sink.Expect(2);
        sink.Take(catalog.Make(EventCatalog.FirstId));
        LoadEvent second = catalog.Make(EventCatalog.FirstId + 1);
        sink.Take(changed ? With(second, second.Message[..^1] + "?") : catalog.Make(EventCatalog.FirstId + 2));
        Assert.That(() => sink.WaitForAll(Limit),
            Throws.TypeOf<LoadException>().With.Message.Contains(changed ? "changed" : "out of order"));
    }

    [TestCase("events")]
    [TestCase("70000")]
    public void A_byte_that_changed_anywhere_in_a_body_is_noticed(string word)
    {
        var set = BodySet.Make(word);
        byte[] body = (byte[])set.Stamped(0).Clone();
        Assert.That(set.IsBody(body, 0), Is.True);
        for (int at = 0; at < body.Length; at += Math.Max(1, body.Length / 300))
        {
            body[at] ^= 1;
            Assert.That(set.IsBody(body, 0), Is.False, $"byte {at}");
            body[at] ^= 1;
        }
    }

    [Test]
    public void Pieces_of_a_body_that_changed_places_are_noticed()
    {
        var set = BodySet.Make("262144");
        byte[] body = (byte[])set.Stamped(7).Clone();
        byte[] piece = body[65536..131072];
        Array.Copy(body, 131072, body, 65536, piece.Length);
        piece.CopyTo(body, 131072);
        Assert.That(set.IsBody(body, 7), Is.False);
    }

    [Test]
    public void What_was_sent_is_what_came()
    {
        var catalog = new EventCatalog();
        using var sink = new EventSink(catalog);
        sink.Expect(100);
        var buffer = new byte[HandCodec.MaxSize];
        for (int i = 0; i < 100; i++)
        {
            LoadEvent sent = catalog.Make(EventCatalog.FirstId + i);
            int size = HandCodec.Write(buffer, sent);
            Assert.That(size, Is.EqualTo(HandCodec.SizeOf(sent)));
            Assert.That(HandCodec.Read(buffer.AsSpan(0, size), out LoadEvent? came), Is.EqualTo(size));
            sink.Take(came!);
        }

        sink.WaitForAll(Limit);
    }

    private static LoadEvent With(LoadEvent e, string message) =>
        new()
        {
            Id = e.Id,
            Ticks = e.Ticks,
            Importance = e.Importance,
            Project = e.Project,
            Target = e.Target,
            Sender = e.Sender,
            Message = message,
        };
}
