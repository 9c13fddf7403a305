using System;
using System.Linq;
using NUnit.Framework;
using static Transport.Tests.Packets.Packed;

namespace Transport.Tests.Packets;

public sealed class MessagePackValueTests
{
    [TestCase("c0")]
    [TestCase("00")]
    [TestCase("ff")]
    [TestCase("90")]
    [TestCase("80")]
    [TestCase("a0")]
    [TestCase("c2")]
    [TestCase("c3")]
    [TestCase("c400")]
    [TestCase("c4020000")]
    [TestCase("c5000100")]
    [TestCase("c60000000100")]
    [TestCase("c70005")]
    [TestCase("c800010500")]
    [TestCase("c9000000010500")]
    [TestCase("ca00000000")]
    [TestCase("cb0000000000000000")]
    [TestCase("cc00")]
    [TestCase("cd0000")]
    [TestCase("ce00000000")]
    [TestCase("cf0000000000000000")]
    [TestCase("d000")]
    [TestCase("d10000")]
    [TestCase("d200000000")]
    [TestCase("d30000000000000000")]
    [TestCase("d40500")]
    [TestCase("d5050000")]
    [TestCase("d60500000000")]
    [TestCase("d7050000000000000000")]
    [TestCase("d80500000000000000000000000000000000")]
    [TestCase("d90161")]
    [TestCase("da000161")]
    [TestCase("db0000000161")]
    [TestCase("dc0001c0")]
    [TestCase("dd00000001c0")]
    [TestCase("de0001c0c0")]
    [TestCase("df00000001c0c0")]
    [TestCase("9392c0a16181c09001")]
    public void One_value_is_valid_whole_and_malformed_cut_or_followed(string hex)
    {
        byte[] body = Bytes(hex);
        Assert.That(() => MessagePackValue.Check(body), Throws.Nothing);
        for (int length = 0; length < body.Length; length++)
        {
            Malformed(body.Take(length).ToArray());
        }

        Assert.That(Malformed([.. body, 0xc0]),
            Is.EqualTo($"At byte {body.Length} of the body: expected the end of the body after one value, got 1 more bytes."));
    }

    [Test]
    public void The_byte_that_is_never_used_is_malformed_wherever_it_stands()
    {
        Assert.That(Malformed(Bytes("c1")), Does.Contain("byte 0").And.Contain("0xc1"));
        Assert.That(Malformed(Bytes("92c0c1")), Does.Contain("byte 2").And.Contain("0xc1"));
    }

    [Test]
    public void Arrays_and_maps_may_stand_64_deep_in_each_other()
    {
        foreach (byte open in new byte[] { 0x91, 0x81 })
        {
            byte[] filling = open == 0x91 ? [0x91] : [0x81, 0x00];
            byte[] valid = [.. Enumerable.Repeat(filling, 64).SelectMany(b => b), 0xc0];
            Assert.That(() => MessagePackValue.Check(valid), Throws.Nothing);
            byte[] deep = [.. Enumerable.Repeat(filling, 64).SelectMany(b => b), 0x90];
            Assert.That(Malformed(deep), Does.Contain("nested at most 64 deep"));
        }
    }

    [Test]
    public void Siblings_do_not_count_as_depth()
    {
        byte[] body = [0xdc, 0x03, 0xe8, .. Enumerable.Repeat<byte>(0x90, 1000)];
        Assert.That(() => MessagePackValue.Check(body), Throws.Nothing);
    }

    [Test]
    public void Sixty_thousand_nested_arrays_are_refused_at_once()
    {
        byte[] body = Enumerable.Repeat<byte>(0x91, 60_000).ToArray();
        Assert.That(Malformed(body), Does.Contain("At byte 64 of the body"), "it looked no further");
        FaultOf(body, (ref PacketReader r) => r.Skip());
    }

    [TestCase("ddffffffff")]
    [TestCase("dfffffffff")]
    [TestCase("df80000000")]
    [TestCase("dbffffffff")]
    [TestCase("c6ffffffff")]
    [TestCase("c9ffffffff01")]
    [TestCase("dc0004c0c0c0")]
    [TestCase("82c0c0c0")]
    public void A_claim_larger_than_the_body_is_refused(string hex) =>
        Assert.That(Malformed(Bytes(hex)), Does.Contain("At byte 0 of the body"));

#if NET
    [Test]
    public void A_claim_allocates_nothing_but_the_exception()
    {
        byte[][] claims = [Bytes("ddffffffff"), Bytes("dfffffffff"), Bytes("dbffffffff"), Bytes("c6ffffffff"),
            Enumerable.Repeat<byte>(0x91, 60_000).ToArray()];
        foreach (byte[] body in claims)
        {
            Malformed(body);
            long before = GC.GetAllocatedBytesForCurrentThread();
            Malformed(body);
            Assert.That(GC.GetAllocatedBytesForCurrentThread() - before, Is.LessThan(32_000));
        }
    }
#endif

    private static string Malformed(byte[] body)
    {
        try
        {
            MessagePackValue.Check(body);
        }
        catch (TransportException e)
        {
            Assert.That(e.Fault, Is.EqualTo(TransportFault.PacketMalformed));
            return e.Message;
        }

        throw new AssertionException("Expected PacketMalformed for " + Hex(body.Take(40).ToArray()));
    }
}
