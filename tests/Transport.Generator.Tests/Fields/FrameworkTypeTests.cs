using System;
using System.Collections.Generic;
using NUnit.Framework;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Fields;

/// <summary>Chars, URIs, versions, and times with their offset.</summary>
internal sealed partial class FrameworkTypeTests
{
    private static readonly Uri[] Uris =
    [
        new("https://example.com/a b?c=%20é#d"),
        new("HTTP://Example.com"),
        new("file:///tmp/a%20b"),
        new("urn:isbn:0"),
        new("mailto:a@example.com"),
        new("a/b.txt", UriKind.Relative),
        new("/a/b", UriKind.Relative),
        new("../é?x", UriKind.Relative),
        new("", UriKind.Relative),
    ];

    private static readonly DateTimeOffset[] Times =
    [
        DateTimeOffset.MinValue,
        DateTimeOffset.MaxValue,
        new(2026, 3, 4, 5, 6, 7, TimeSpan.FromMinutes(-210)),
        new(2026, 3, 4, 5, 6, 7, TimeSpan.FromHours(14)),
        new(1, 1, 1, 0, 0, 0, TimeSpan.FromHours(-14)),
        new(9999, 12, 31, 23, 59, 59, TimeSpan.FromHours(14)),
        new(1969, 12, 31, 23, 0, 0, TimeSpan.FromMinutes(345)),
    ];

    /// <summary>Gets packets as Python shall see them.</summary>
    public static IEnumerable<(byte[] Body, string Seen)> Samples =>
    [
        (
            Bytes.Of(Plain.PacketType, Small()),
            "[int 97, str 612f62, str 312e32, time 1 0, nil, nil, nil, nil]"),
        (
            Bytes.Of(Plain.PacketType, new Plain('漢', new Uri("urn:b"), new Version(0, 0), Times[2], 'b')),
            "[int 28450, str 75726e3a62, str 302e30, [time 1772613367 0, int -210], int 98, nil, nil, nil]"),
    ];

    [TestCase('a')]
    [TestCase('\0')]
    [TestCase('漢')]
    [TestCase('\ud800')]
    [TestCase('\uffff')]
    public void A_char_comes_back(char value)
    {
        Plain sent = Sample() with { Char = value, OrChar = value };
        Assert.That(Bytes.Echo(Plain.PacketType, sent), Is.EqualTo(sent));
    }

    [TestCaseSource(nameof(Uris))]
    public void A_uri_comes_back(Uri value)
    {
        Plain sent = Sample() with { Uri = value, OrUri = value };
        Plain came = Bytes.Echo(Plain.PacketType, sent);
        Assert.That(came, Is.EqualTo(sent));
        Assert.That((came.Uri.OriginalString, came.Uri.IsAbsoluteUri), Is.EqualTo((value.OriginalString, value.IsAbsoluteUri)));
    }

    [TestCase("0.0")]
    [TestCase("1.2.3")]
    [TestCase("1.2.3.2147483647")]
    public void A_version_comes_back(string value)
    {
        Plain sent = Sample() with { Version = new Version(value), OrVersion = new Version(value) };
        Assert.That(Bytes.Echo(Plain.PacketType, sent), Is.EqualTo(sent));
    }

    [TestCaseSource(nameof(Times))]
    public void A_time_keeps_its_offset(DateTimeOffset value)
    {
        Plain sent = Sample() with { Time = value, OrTime = value };
        Plain came = Bytes.Echo(Plain.PacketType, sent);
        Assert.That((came.Time, came.Time.Offset, came.OrTime!.Value.Offset), Is.EqualTo((value, value.Offset, value.Offset)));
    }

    [Test]
    public void Nothing_comes_back_as_nothing()
    {
        Plain sent = Sample() with { OrChar = null, OrUri = null, OrVersion = null, OrTime = null };
        Assert.That(Bytes.Echo(Plain.PacketType, sent), Is.EqualTo(sent));
    }

    [Test]
    public void They_have_the_form_of_the_page()
    {
        Assert.That(
            Bytes.Hex(Plain.PacketType, Small()),
            Is.EqualTo("98" + "61" + "a3612f62" + "a3312e32" + "d6ff00000001" + "c0c0c0c0"));
        var away = new DateTimeOffset(1970, 1, 1, 1, 0, 1, TimeSpan.FromHours(1));
        Assert.That(Bytes.Hex(Plain.PacketType, Sample() with { Time = away }), Does.Contain("92" + "d6ff00000001" + "3c"));
    }

    [Test]
    public void A_path_of_the_file_system_becomes_a_uri_of_every_system()
    {
        var path = new Uri("/tmp/a b", UriKind.Absolute);
        Assert.That(Bytes.Echo(Plain.PacketType, Sample() with { Uri = path }).Uri, Is.EqualTo(new Uri("file:///tmp/a%20b")));
    }

    [Test]
    public void A_reader_gives_what_a_packet_lacks_its_default()
    {
        Plain came = Bytes.Read(Plain.PacketType, [0x90]);
        Assert.That(came, Is.EqualTo(new Plain('\0', new Uri("", UriKind.Relative), new Version(0, 0), default)));
        Assert.That(Bytes.Echo(Plain.PacketType, new Plain('\0', null!, null!, default)), Is.EqualTo(came));
        Assert.That(Bytes.Read(Chosen.PacketType, [0x90]), Is.EqualTo(new Chosen('x', '\ud800')));
    }

    [Test]
    public void They_are_keys_of_maps_where_a_time_has_no_offset()
    {
        var sent = new Keys
        {
            ByChar = new() { ['a'] = 1 },
            ByUri = new() { [new Uri("urn:b")] = 2 },
            ByVersion = new() { [new Version(1, 2)] = 3 },
            ByTime = new() { [Times[2]] = 4 },
        };
        Keys came = Bytes.Echo(Keys.PacketType, sent);
        Assert.That(came.ByChar, Is.EqualTo(sent.ByChar));
        Assert.That(came.ByUri, Is.EqualTo(sent.ByUri));
        Assert.That(came.ByVersion, Is.EqualTo(sent.ByVersion));
        Assert.That(came.ByTime, Is.EqualTo(sent.ByTime));
        Assert.That(came.ByTime.Keys, Has.All.Matches<DateTimeOffset>(t => t.Offset == TimeSpan.Zero));
    }

    [TestCase("91ce00010000", "Plain.Char: at byte 1 of the body: expected an integer from 0 to 65535, got 65536.")]
    [TestCase("91a161", "Plain.Char: at byte 1 of the body: expected an integer")]
    [TestCase("9261a7687474703a2f2f", "Plain.Uri: at byte 2 of the body: expected a URI as a string, got a string of 7 characters")]
    [TestCase("9261c0", "Plain.Uri: at byte 2 of the body: expected a string, got nil")]
    [TestCase("9261dbffffffff", "Plain.Uri: at byte 2 of the body: expected str 32 of")]
    [TestCase("9361a0a131", "Plain.Version: at byte 3 of the body: expected a version as a string, such as 1.2.3, got a string")]
    [TestCase("9361a0a6312e322e2d33", "Plain.Version: at byte 3 of the body: expected a version")]
    [TestCase("9461a0a3312e3291d6ff00000001", "Plain.Time: at byte 7 of the body: expected an array of at least 2 elements")]
    [TestCase("9461a0a3312e3292d6ff00000001cd0349", "expected an integer from -840 to 840, got 841.")]
    [TestCase("9461a0a3312e32dd7fffffff", "Plain.Time: at byte 7 of the body: expected array 32 with")]
    [TestCase("9461a0a3312e3292c70cff00000000fffffff1886e0900d1fcb8", "Plain.Time: at byte 7 of the body: expected a local time")]
    [TestCase("9461a0a3312e3201", "Plain.Time: at byte 7 of the body: expected a timestamp")]
    public void Another_shape_is_malformed(string body, string message) =>
        Assert.That(Bytes.Refusal(Plain.PacketType, body), Does.Contain(message));

    [Test]
    public void A_time_with_more_elements_is_of_a_later_version()
    {
        Plain came = Bytes.Read(Plain.PacketType, Bytes.FromHex("9461a0a3312e3293d6ff000000003ca178"));
        Assert.That((came.Time, came.Time.Offset), Is.EqualTo((DateTimeOffset.FromUnixTimeSeconds(0), TimeSpan.FromHours(1))));
    }

#if NET
    [Test]
    public void Dates_times_of_day_and_halves_come_back()
    {
        foreach (Modern sent in new[]
        {
            new Modern(DateOnly.MinValue, TimeOnly.MinValue, Half.MinValue),
            new Modern(DateOnly.MaxValue, TimeOnly.MaxValue, Half.Epsilon, DateOnly.MaxValue, TimeOnly.MaxValue, Half.NegativeInfinity),
            new Modern(new DateOnly(2026, 3, 4), new TimeOnly(5, 6, 7), (Half)1.5, default(DateOnly), default(TimeOnly), Half.NaN),
        })
        {
            Assert.That(Bytes.Echo(Modern.PacketType, sent), Is.EqualTo(sent));
        }

        Assert.That(
            Bytes.Hex(Modern.PacketType, new Modern(new DateOnly(1970, 1, 2), new TimeOnly(1), (Half)1.5)),
            Is.EqualTo("96" + "01" + "01" + "ca3fc00000" + "c0c0c0"));
        Assert.That(Bytes.Read(Modern.PacketType, [0x90]), Is.EqualTo(new Modern(default, default, default)));
    }

    [TestCase("91ce002cc0a1", "Modern.Date: at byte 1 of the body: expected an integer from -719162 to 2932896, got 2932897")]
    [TestCase("91cf7fffffffffffffff", "Modern.Date: at byte 1 of the body: expected an integer from -719162 to 2932896")]
    [TestCase("9201ff", "Modern.Time: at byte 2 of the body: expected an integer from 0 to 863999999999, got -1.")]
    [TestCase("930101a0", "Modern.Half: at byte 3 of the body: expected a number")]
    public void A_date_or_time_out_of_range_is_malformed(string body, string message) =>
        Assert.That(Bytes.Refusal(Modern.PacketType, body), Does.Contain(message));

    [Packet(2503)]
    internal sealed partial record Modern(
        DateOnly Date, TimeOnly Time, Half Half, DateOnly? OrDate = null, TimeOnly? OrTime = null, Half? OrHalf = null);
#endif

    private static Plain Small() => new('a', new Uri("a/b", UriKind.Relative), new Version(1, 2), DateTimeOffset.FromUnixTimeSeconds(1));

    private static Plain Sample() => new('a', new Uri("urn:b"), new Version(1, 2), default, 'b', new Uri("c", UriKind.Relative));

    [Packet(2500)]
    internal sealed partial record Plain(
        char Char,
        Uri Uri,
        Version Version,
        DateTimeOffset Time,
        char? OrChar = null,
        Uri? OrUri = null,
        Version? OrVersion = null,
        DateTimeOffset? OrTime = null);

    [Packet(2501)]
    internal sealed partial record Chosen(char First = 'x', char? Second = '\ud800');

    [Packet(2502)]
    internal sealed partial class Keys
    {
        public Dictionary<char, int> ByChar { get; set; } = [];

        public Dictionary<Uri, int> ByUri { get; set; } = [];

        public Dictionary<Version, int> ByVersion { get; set; } = [];

        public Dictionary<DateTimeOffset, int> ByTime { get; set; } = [];
    }
}
