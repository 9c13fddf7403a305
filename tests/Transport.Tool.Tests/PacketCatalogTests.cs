using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Text.Json;
using Microsoft.Extensions.Logging;
using NUnit.Framework;
using Transport.Logging;
using Transport.MSBuild;
using Transport.Terminal;

namespace Transport.Tool.Tests;

[TestFixture]
internal sealed class PacketCatalogTests
{
    private static readonly DateTimeOffset Time = new(2026, 11, 21, 20, 0, 0, TimeSpan.FromHours(1));

    private readonly PacketCatalog _catalog = new();

    [Test]
    public void Packets_of_the_packages_are_objects_with_the_names_of_their_pages()
    {
        Assert.Multiple(() =>
        {
            Assert.That(Json(LogEvent.PacketType, new LogEvent
            {
                Time = Time, Level = LogLevel.Warning, Category = "c", EventId = 5, Message = "m", Context = [1, 2],
                Properties = [new LogProperty("Not", new LogValue(double.NaN)), new LogProperty("Flag", new LogValue(true))],
            }), Is.EqualTo("""{"time":"2026-11-21T19:00:00.0000000Z","level":3,"category":"c","eventId":5,"message":"m","context":[1,2]"""
                + ""","properties":{"Not":"NaN","Flag":true},"exception":null}"""));
            Assert.That(Json(ProgressPacket.PacketType, new ProgressPacket { Time = Time, Id = 7, Done = 1, Total = 2, Text = "half" }),
                Is.EqualTo("""{"time":"2026-11-21T19:00:00.0000000Z","id":7,"done":1,"total":2,"text":"half"}"""));
        });
    }

    [TestCase(272, "94070fc40191cd012c", """{"id":7,"type":15,"body":{"base64":"kQ=="},"ms":300}""")]
    [TestCase(273, "940700c0a26e6f", """{"id":7,"status":0,"body":null,"message":"no"}""")]
    [TestCase(274, "9107", """{"id":7}""")]
    [TestCase(275, "9207c40191", """{"id":7,"body":{"base64":"kQ=="}}""")]
    [TestCase(276, "9207cd012c", """{"id":7,"bytes":300}""")]
    [TestCase(274, "c0", "null")]
    [TestCase(1030, "930102", """{"base64":"kwEC"}""")]
    [TestCase(1030, "93c3a26e6fc40109", """[true,"no",{"base64":"CQ=="}]""")]
    [TestCase(1030, "9381a1610281020381a161c0", """[{"a":2},[[2,3]],{"a":null}]""")]
    [TestCase(1030, "95ffcfffffffffffffffffca3fc00000cb7ff8000000000000d6ff00000001",
        """[-1,18446744073709551615,1.5,"NaN","1970-01-01T00:00:01.0000000Z"]""")]
    [TestCase(1030, "c70205aabb", """{"ext":5,"base64":"qrs="}""")]
    [TestCase(1030, "91a1ff", """{"base64":"kaH/"}""")]
    [TestCase(1030, "9101c0", """{"base64":"kQHA"}""")]
    public void A_body_has_names_if_its_type_is_known_else_values_and_is_base64_if_it_is_none_of_MessagePack(
        int type, string body, string expected) =>
        Assert.That(Json(type, Convert.FromHexString(body)), Is.EqualTo(expected));

    [Test]
    public void A_type_is_named_with_its_number()
    {
        Assert.That(_catalog.NameOf(256), Is.EqualTo("LogEvent (256)"));
        Assert.That(_catalog.NameOf(1030), Is.EqualTo("type 1030"));
    }

    [TestCase(0, "0 warnings")]
    [TestCase(1, "1 warning")]
    [TestCase(1000, "1000 warnings")]
    public void One_is_no_plural(long number, string text) => Assert.That(Counted.Of(number, "warning"), Is.EqualTo(text));

    private string Json<T>(PacketType<T> type, T packet)
    {
        var body = new ArrayBufferWriter<byte>();
        type.Formatter.Write(body, packet);
        return Json(type.Id, body.WrittenMemory);
    }

    private string Json(int type, ReadOnlyMemory<byte> body)
    {
        using var text = new MemoryStream();
        using (var json = new Utf8JsonWriter(text))
        {
            _catalog.WriteBody(json, type, body);
        }

        return Encoding.UTF8.GetString(text.ToArray());
    }
}
