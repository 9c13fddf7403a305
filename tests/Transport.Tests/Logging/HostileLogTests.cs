using System;
using System.Linq;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Logging;

namespace Transport.Tests.Logging;

/// <summary>Log events that are small on the wire and would be large as text.</summary>
internal sealed class HostileLogTests
{
    [Test]
    public void A_value_of_many_references_to_a_long_text_is_malformed_and_not_put_together()
    {
        var tables = new LaneTables(new TableCaps(true, true, true), 16 << 20);
        const int Text = 4_000_000;
        tables.Take(tables.Checked(new RawPacket(259, Lane.Normal,
            (byte[])[0x91, 0x92, 0, 0xdb, 0, Text >> 16, (Text >> 8) & 0xff, Text & 0xff, .. Enumerable.Repeat((byte)'x', Text)])));

        // A property whose value is an array of a thousand references: 4 GB as text.
        byte[] value = [0xdc, 0x03, 0xe8, .. Enumerable.Repeat(new byte[] { 0xd4, 1, 0 }, 1_000).SelectMany(r => r)];
        RawPacket packet = tables.Attached(new RawPacket(256, Lane.Normal, EventWith(value)));
        PacketLease lease = packet.Lease();
        var e = Assert.Throws<TransportException>(() => lease.Packet.Read(LogEvent.PacketType));
        Assert.That(e!.Fault, Is.EqualTo(TransportFault.PacketMalformed));
        Assert.That(e.Message, Does.Contain("at most 33554432 characters as text"));
    }

    [Test]
    public void Maps_inside_each_other_are_one_text_and_not_one_for_each_level()
    {
        byte[] value = [.. Enumerable.Repeat(new byte[] { 0x81, 0xa1, (byte)'k' }, 55).SelectMany(m => m), 0xa1, (byte)'v'];
        LogEvent read = new RawPacket(256, Lane.Normal, EventWith(value)).Read(LogEvent.PacketType);
        Assert.That(read.Properties[0].Value.Text, Is.EqualTo(string.Concat(Enumerable.Repeat("{k: ", 55)) + "v" + new string('}', 55)));
    }

    /// <summary>4 M scopes in one event of 16 MiB took 1.2 GiB.</summary>
    [Test]
    public void Of_an_event_with_very_many_scopes_or_properties_the_first_are_read_and_the_others_counted()
    {
        const int Scopes = 1_000_000, Properties = 100_000;
        byte[] scopes = [0xdd, 0, Scopes >> 16, (Scopes >> 8) & 0xff, Scopes & 0xff,
            .. Enumerable.Repeat(new byte[] { 0x92, 0xa0, 0xc0 }, Scopes).SelectMany(one => one)];
        byte[] properties = [0xdf, 0, Properties >> 16, (Properties >> 8) & 0xff, Properties & 0xff,
            .. Enumerable.Repeat(new byte[] { 0xa0, 0xc0 }, Properties).SelectMany(one => one)];
        byte[] body =
        [
            0x9a, 0xd6, 0xff, 0, 0, 0, 0, 2, 0xa1, (byte)'c', 0, 0xa1, (byte)'m', 0xc0, .. properties, 0xc0, 0xc0, .. scopes,
        ];
        LogEvent read = new RawPacket(256, Lane.Normal, body).Read(LogEvent.PacketType);
        Assert.That((read.Scopes.Count, read.Properties.Count),
            Is.EqualTo((LogEventFormatter.MaxScopes + 1, LogEventFormatter.MaxProperties + 1)));
        Assert.That(read.Scopes[LogEventFormatter.MaxScopes].Text, Is.EqualTo($"{Scopes - LogEventFormatter.MaxScopes} more scopes were left out"));
        Assert.That((read.Properties[LogEventFormatter.MaxProperties].Name, read.Properties[LogEventFormatter.MaxProperties].Value.ToObject()),
            Is.EqualTo((LogEventFormatter.LeftOut, (object)(long)(Properties - LogEventFormatter.MaxProperties))));
    }

    private static byte[] EventWith(byte[] value) =>
        [0x98, 0xd6, 0xff, 0, 0, 0, 0, 2, 0xa1, (byte)'c', 0, 0xa1, (byte)'m', 0xc0, 0x81, 0xa1, (byte)'p', .. value, 0xc0];
}
