using System;
using System.Linq;
using NUnit.Framework;

namespace Transport.Tests.Links;

internal sealed class LinkOptionsTests
{
    [Test]
    public void The_defaults_are_sound_and_finite()
    {
        LinkOptions copy = new LinkOptions().CheckedCopy();
        Assert.That((copy.MaxQueuedBytes, copy.MaxPacketBytes, copy.MaxRequests, copy.MaxLinks), Is.EqualTo((8L << 20, 16 << 20, 1024, 1024)));
    }

    [Test]
    public void Every_value_out_of_range_is_named_in_one_error()
    {
        var options = new LinkOptions
        {
            Node = "two words",
            App = null!,
            Caps = [string.Empty],
            MaxTableBytes = 17 << 20,
            Level = 7,
            MaxPacketBytes = 1,
            MaxQueuedBytes = 1L << 40,
            HandshakeTimeout = TimeSpan.Zero,
            ConnectTimeout = TimeSpan.MaxValue,
            PingInterval = TimeSpan.FromMilliseconds(50),
            SilenceTimeout = TimeSpan.FromMilliseconds(1),
            CloseTimeout = TimeSpan.FromDays(-1),
            StallTimeout = TimeSpan.FromMilliseconds(99),
            MaxRequests = 0,
            MaxPendingHandshakes = 70_000,
            MaxLinks = -1,
            AllowedUserIds = null!,
            UrgentPolicy = (LanePolicy)9,
            NormalPolicy = (LanePolicy)9,
            BulkPolicy = (LanePolicy)9,
            HandlerFailure = (HandlerFailure)9,
            Clock = null!,
            KnownPackets = null!,
        };
        TransportException fault = Assert.Throws<TransportException>(() => options.CheckedCopy())!;
        Assert.That(fault.Fault, Is.EqualTo(TransportFault.BadOptions));
        string[] names = [.. typeof(LinkOptions).GetProperties().Select(p => p.Name)];
        Assert.That(names.Where(n => !fault.Message.Contains(n + " = ")), Is.Empty, fault.Message);
        Assert.That(fault.Message.Split(';'), Has.Length.EqualTo(names.Length + 1), "PingInterval stands there twice if both rules are broken");
        Assert.That(fault.Message, Does.Contain("MaxPacketBytes = 1, allowed: 64 KiB to 1 GiB"));
    }

    [Test]
    public void A_copy_keeps_nothing_of_what_changes_later()
    {
        string[] caps = ["strings"];
        var options = new LinkOptions { Caps = caps };
        LinkOptions copy = options.CheckedCopy();
        caps[0] = "maps";
        options.Level = 5;
        Assert.That((copy.Caps.Single(), copy.Level), Is.EqualTo(("strings", 0)));
    }
}
