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
        LinkOptions copy = new LinkOptions().ForListener();
        (long, int, int, int) limits = (copy.MaxQueuedBytes, copy.MaxPacketBytes, copy.MaxRequests, copy.MaxLinks);
        Assert.That(limits, Is.EqualTo((8L << 20, 16 << 20, 1024, 1024)));
        Assert.That(new LinkOptions().ForConnector().ConnectTimeout, Is.EqualTo(TimeSpan.FromSeconds(30)));
    }

    [Test]
    public void Every_option_out_of_range_is_named_in_one_error()
    {
        LinkOptions spoilt = Spoil(new LinkOptions
        {
            MinimumLevel = (PacketLevel)7, MaxPendingHandshakes = 70_000, MaxLinks = -1, ConnectTimeout = TimeSpan.MaxValue,
        });
        ExpectAllNamed(() => spoilt.ForListener());
        ExpectAllNamed(() => spoilt.ForConnector());
    }

    [Test]
    public void What_only_the_other_side_has_is_refused()
    {
        var listener = new LinkOptions { MinimumLevel = PacketLevel.Warning, MaxLinks = 2, MaxPendingHandshakes = 3 };
        Assert.DoesNotThrow(() => listener.ForListener());
        string message = Assert.Throws<ArgumentException>(() => listener.ForConnector())!.Message;
        Assert.That(message, Does.Contain("MinimumLevel = Warning").And.Contain("MaxLinks = 2").And.Contain("MaxPendingHandshakes = 3"));
        var connector = new LinkOptions { ConnectTimeout = TimeSpan.FromSeconds(1) };
        Assert.DoesNotThrow(() => connector.ForConnector());
        Assert.That(() => connector.ForListener(), Throws.ArgumentException.With.Message.Contains("ConnectTimeout = 00:00:01"));
    }

    [Test]
    public void Options_without_a_heartbeat_are_refused() =>
        Assert.That(
            () => new LinkOptions { Heartbeat = null! }.ForConnector(),
            Throws.ArgumentException.With.Message.Contains("Heartbeat = null"));

    [Test]
    public void A_copy_keeps_nothing_of_what_changes_later()
    {
        int[] users = [4711];
        var options = new LinkOptions { AllowedUserIds = users };
        LinkOptions copy = options.ForListener();
        users[0] = 0;
        options.MinimumLevel = PacketLevel.Critical;
        options.Heartbeat.PingInterval = TimeSpan.FromSeconds(1);
        Assert.That((copy.AllowedUserIds.Single(), copy.MinimumLevel), Is.EqualTo((4711, PacketLevel.Trace)));
        Assert.That(copy.Heartbeat.PingInterval, Is.EqualTo(TimeSpan.FromSeconds(5)));
    }

    private static LinkOptions Spoil(LinkOptions options)
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
        options.TimeProvider = null!;
        options.KnownPackets = null!;
        return options;
    }

    private static void ExpectAllNamed(Func<LinkOptions> check)
    {
        ArgumentException fault = Assert.Throws<ArgumentException>(() => check())!;
        IEnumerable<string> names = typeof(LinkOptions).GetProperties().Where(p => p.PropertyType != typeof(bool)).Select(p => p.Name)
            .Where(n => n is not (nameof(LinkOptions.Heartbeat) or nameof(LinkOptions.Buffers))) // any source will do
                .Concat(typeof(HeartbeatOptions).GetProperties().Select(p => "Heartbeat." + p.Name));
        string[] expected = [.. names];
        Assert.That(expected.Where(n => !fault.Message.Contains(n + " = ")), Is.Empty, fault.Message);
        Assert.That(fault.Message.Split(';'), Has.Length.EqualTo(expected.Length + 1),
            "PingInterval stands there twice if both rules are broken");
        Assert.That(fault.Message, Does.Contain("MaxPacketBytes = 1, allowed: 64 KiB to 1 GiB"));
    }
}
