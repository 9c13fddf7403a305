using System;
using NUnit.Framework;

namespace Transport.MSBuild.Tests.Events;

[TestFixture]
internal sealed class MessageTemplateTests
{
    [TestCase("Target \"Build\" in project \"/src/a.csproj\"", "Target \"\ue000\" in project \"\ue001\"", "Build", "/src/a.csproj")]
    [TestCase("Done: BuildBuild, Builds.", "Done: \ue000\ue000, \ue000s.", "Build")]
    [TestCase("of two the longer one counts", "of two the \ue001 one counts", "long", "longer")]
    [TestCase("one that begins within another", "one that \ue000within another", "begins ", "ns with")]
    [TestCase("closes with the field's own end", "closes with the field's \ue000", "own end")]
    public void What_is_cut_out_is_put_back(string message, string template, params object?[] fields)
    {
        Span<char> cut = stackalloc char[MessageTemplate.Longest];
        int length = MessageTemplate.Cut(message, fields, cut);

        Assert.That(cut[..length].ToString(), Is.EqualTo(template));
        Assert.That(MessageTemplate.Fill(cut[..length].ToString(), fields), Is.EqualTo(message));
    }

    [TestCase("nothing of the fields is in here", "filed", null)]
    [TestCase("too short: field", "zz", 12L)]
    [TestCase("a message with the sign \ue000 itself, field", "field")]
    [TestCase("a field of two: ab", "ab")]
    public void What_cannot_be_cut_travels_as_it_is(string message, params object?[] fields)
    {
        Span<char> cut = stackalloc char[MessageTemplate.Longest];

        Assert.That(MessageTemplate.Cut(message, fields, cut), Is.Zero);
    }

    [Test]
    public void A_template_of_fields_that_are_not_there_leaves_them_out() =>
        Assert.That(MessageTemplate.Fill("a\ue000b\ue001c\ue03fd", ["-", 1L]), Is.EqualTo("a-bcd"));

    [Promise("Trust", "A few received bytes cannot expand to gigabytes of text.")]
    [Test]
    public void Few_bytes_do_not_stand_for_a_message_of_gigabytes()
    {
        var e = Assert.Throws<TransportException>(() => MessageTemplate.Fill(new string('\ue000', 3_000), [new string('x', 1 << 20)]));
        Assert.That((e!.Fault, e.Message), Is.EqualTo((TransportFault.PacketMalformed,
            "A message in parts: expected at most 1024 characters with its fields put back, got 3145728000.")));
    }
}
