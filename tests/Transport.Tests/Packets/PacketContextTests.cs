using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Clock;
using Transport.Testing.Links;

namespace Transport.Tests.Packets;

/// <summary>A handler can be tested without a link, with a context and a sender of the test's own.</summary>
internal sealed class PacketContextTests
{
    [Test]
    public async Task A_handler_is_tested_with_a_context_and_a_fake_sender()
    {
        var sender = new FakeSender();
        var clock = new ManualClock();
        using var ended = new CancellationTokenSource();
        DateTimeOffset deadline = clock.GetUtcNow().AddSeconds(5);
        var context = new PacketContext(sender, "n1", Lane.Bulk, clock, ended.Token, deadline);

        await HandleAsync("hello", context);

        Assert.That(sender.Sent.Select(s => s.Type), Is.EqualTo(new[] { (int)TestPackets.Text.Id }));
        Assert.That((context.Node, context.Lane, context.Now), Is.EqualTo(("n1", Lane.Bulk, clock.GetUtcNow())));
        Assert.That(context.ToString(), Is.EqualTo("from n1, lane Bulk"));
        Assert.That((context.Deadline, default(PacketContext).Deadline), Is.EqualTo(((DateTimeOffset?)deadline, (DateTimeOffset?)null)));
        Assert.That(context.CancellationToken.IsCancellationRequested, Is.False);
        ended.Cancel();
        Assert.That(context.CancellationToken.IsCancellationRequested, Is.True);
        var raw = new RawPacket(1024, Lane.Bulk, new byte[] { 0xc0 }) { Context = context };
        Assert.That(raw.Context.Node, Is.EqualTo("n1"));
        Assert.That(() => new PacketContext(null!, "n1"), Throws.ArgumentNullException);
        Assert.That(default(PacketContext).ToString(), Is.EqualTo("from no link, lane Control"));
    }

    [Test]
    public void A_packet_as_text_reads_no_body() =>
        Assert.That(new RawPacket(1024, Lane.Normal, new byte[] { 0xc1, 0xff }).ToString(), Is.EqualTo("type 1024, lane Normal, 2 bytes"));

    [Test]
    public void A_packet_without_its_type_is_named_and_not_by_a_static_initializer()
    {
        Assert.That(() => PacketTypeOf<Forgotten>.Value, Throws.InvalidOperationException.With.Message.Contains("needs a public static"));
        Assert.That(() => PacketTypeOf<Throwing>.Value, Throws.TypeOf<NotSupportedException>());
    }

    private static async Task HandleAsync(string text, PacketContext context) =>
        _ = await context.Sender.SendAsync(TestPackets.Text, text + "!", cancellationToken: context.CancellationToken);

    public sealed class Forgotten : IPacket<Forgotten>
    {
        PacketType<Forgotten> IPacket<Forgotten>.PacketType => throw new NotSupportedException();
    }

    public sealed class Throwing : IPacket<Throwing>
    {
        public static PacketType<Throwing> PacketType => throw new NotSupportedException();

        PacketType<Throwing> IPacket<Throwing>.PacketType => PacketType;
    }
}
