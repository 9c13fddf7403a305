using System;
using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;

namespace Transport.Tests.Links;

internal sealed class LinkOptionsTests
{
    [Test]
    public void The_defaults_are_valid_and_finite()
    {
        LinkListenerOptions copy = new LinkListenerOptions().CheckedCopy();
        (long, int, int, int) limits = (copy.MaxQueuedBytes, copy.MaxPacketBytes, copy.MaxRequests, copy.MaxLinks);
        Assert.That(limits, Is.EqualTo((8L << 20, 16 << 20, 1024, 1024)));
        Assert.That(new LinkConnectorOptions().CheckedCopy().ConnectTimeout, Is.EqualTo(TimeSpan.FromSeconds(30)));
    }

    [Test]
    public void Every_listener_option_out_of_range_is_named_in_one_error() =>
        ExpectAllNamed(() => Spoil(
            new LinkListenerOptions { Level = (PacketLevel)7, MaxPendingHandshakes = 70_000, MaxLinks = -1 }).CheckedCopy());

    [Test]
    public void Every_connector_option_out_of_range_is_named_in_one_error() =>
        ExpectAllNamed(() => Spoil(new LinkConnectorOptions { ConnectTimeout = TimeSpan.MaxValue }).CheckedCopy());

    [Test]
    public void Options_without_a_heartbeat_are_refused() =>
        Assert.That(
            () => new LinkConnectorOptions { Heartbeat = null! }.CheckedCopy(),
            Throws.ArgumentException.With.Message.Contains("Heartbeat = null"));

    [Test]
    public void A_copy_keeps_nothing_of_what_changes_later()
    {
        int[] users = [4711];
        var options = new LinkListenerOptions { AllowedUserIds = users };
        LinkListenerOptions copy = options.CheckedCopy();
        users[0] = 0;
        options.Level = PacketLevel.Critical;
        options.Heartbeat.PingInterval = TimeSpan.FromSeconds(1);
        Assert.That((copy.AllowedUserIds.Single(), copy.Level), Is.EqualTo((4711, PacketLevel.Trace)));
        Assert.That(copy.Heartbeat.PingInterval, Is.EqualTo(TimeSpan.FromSeconds(5)));
    }

    private static T Spoil<T>(T options)
        where T : LinkOptions
    {
        options.Node = "two words";
        options.App = null!;
        options.MaxTableBytes = 17 << 20;
        options.MaxPacketBytes = 1;
        options.MaxQueuedBytes = 1L << 40;
        options.HandshakeTimeout = TimeSpan.Zero;
        options.Heartbeat = new HeartbeatOptions
        {
            PingInterval = TimeSpan.FromMilliseconds(50),
            SilenceTimeout = TimeSpan.FromMilliseconds(1),
            StallTimeout = TimeSpan.FromMilliseconds(99),
        };
        options.CloseTimeout = TimeSpan.FromDays(-1);
        options.MaxRequests = 0;
        options.StreamWindowBytes = 1023;
        options.AllowedUserIds = null!;
        options.UrgentPolicy = (LanePolicy)9;
        options.NormalPolicy = (LanePolicy)9;
        options.BulkPolicy = (LanePolicy)9;
        options.Clock = null!;
        options.KnownPackets = null!;
        return options;
    }

    private static void ExpectAllNamed<T>(Func<T> check)
        where T : LinkOptions
    {
        ArgumentException fault = Assert.Throws<ArgumentException>(() => check())!;
        IEnumerable<string> names = typeof(T).GetProperties().Where(p => p.PropertyType != typeof(bool)).Select(p => p.Name)
            .Where(n => n is not (nameof(LinkOptions.Heartbeat) or nameof(LinkOptions.Buffers))) // any source will do
                .Concat(typeof(HeartbeatOptions).GetProperties().Select(p => "Heartbeat." + p.Name));
        string[] expected = [.. names];
        Assert.That(expected.Where(n => !fault.Message.Contains(n + " = ")), Is.Empty, fault.Message);
        Assert.That(fault.Message.Split(';'), Has.Length.EqualTo(expected.Length + 1),
            "PingInterval stands there twice if both rules are broken");
        Assert.That(fault.Message, Does.Contain("MaxPacketBytes = 1, allowed: 64 KiB to 1 GiB"));
    }
}
