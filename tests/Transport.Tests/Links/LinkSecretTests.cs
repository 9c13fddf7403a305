using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Reflection;
using NUnit.Framework;

namespace Transport.Tests.Links;

internal sealed class LinkSecretTests
{
    [Test]
    public void A_secret_is_revealed_as_hex_read_back_and_never_shown()
    {
        LinkSecret secret = LinkSecret.Create();
        string hex = secret.Reveal();
        Assert.That(hex, Does.Match("^[0-9a-f]{64}$"));
        Assert.That(LinkSecret.Parse(hex.ToUpperInvariant()).Reveal(), Is.EqualTo(hex));
        Assert.That(secret.ToString(), Is.EqualTo("(secret)"));
        Assert.That(Enumerable.Range(0, 50).Select(_ => LinkSecret.Create().Reveal()), Is.Unique);
    }

    [Test]
    public void A_debugger_does_not_show_it_either()
    {
        const BindingFlags All = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        Assert.That(typeof(LinkSecret).GetCustomAttribute<DebuggerDisplayAttribute>()?.Value, Is.EqualTo("(secret)"));
        IEnumerable<MemberInfo> seen = [.. typeof(LinkSecret).GetFields(All), .. typeof(LinkSecret).GetProperties(All)];
        Assert.That(seen.Where(m => m.GetCustomAttribute<DebuggerBrowsableAttribute>()?.State != DebuggerBrowsableState.Never), Is.Empty);
    }

    [TestCase(null)]
    [TestCase("")]
    [TestCase("0123")]
    [TestCase("g123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef")]
    [TestCase("00123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef")]
    public void Anything_but_sixty_four_hex_digits_is_refused_without_repeating_it(string? text)
    {
        FormatException fault = Assert.Throws<FormatException>(() => LinkSecret.Parse(text))!;
        Assert.That(string.IsNullOrEmpty(text) || !fault.Message.Contains(text!), Is.True);
    }

    [Test]
    public void Secrets_are_equal_by_every_byte()
    {
        byte[] a = [.. Enumerable.Range(0, 32).Select(i => (byte)i)];
        for (int i = 0; i < 32; i++)
        {
            byte[] b = [.. a];
            b[i] ^= 0x80;
            Assert.That(LinkSecret.AreEqual(a, b), Is.False);
        }

        Assert.That(LinkSecret.AreEqual(a, [.. a]), Is.True);
        Assert.That(LinkSecret.AreEqual(a, a.AsSpan(0, 31)), Is.False);
    }

    [TestCase("a", true)]
    [TestCase("Worker-1.x_y", true)]
    [TestCase("", false)]
    [TestCase(null, false)]
    [TestCase("a b", false)]
    [TestCase("\u00e4", false)]
    [TestCase("a/b", false)]
    public void Node_names_are_of_few_characters(string? name, bool valid) => Assert.That(NodeName.IsValid(name), Is.EqualTo(valid));

    [Test]
    public void Node_names_have_at_most_sixty_four_characters() =>
        Assert.That((NodeName.IsValid(new string('a', 64)), NodeName.IsValid(new string('a', 65))), Is.EqualTo((true, false)));
}
