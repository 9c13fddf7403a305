using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Linq;
using System.Reflection;
using NUnit.Framework;

namespace Transport.Tests.Architecture;

/// <summary>How much users can name. What exactly is listed in src/*/PublicAPI, which an analyzer compares.</summary>
internal sealed class PublicApiTests
{
    /// <summary>Gets the libraries.</summary>
    public static IEnumerable<Assembly> Assemblies =>
    [
        typeof(Link).Assembly, Assembly.Load("Transport.Logging"), Assembly.Load("Transport.Files"), Assembly.Load("Transport.Journal"),
    ];

    [Test]
    public void The_core_has_at_most_80_public_types() =>
        Assert.That(typeof(Link).Assembly.GetExportedTypes(), Has.Length.LessThanOrEqualTo(80));

    /// <summary>What only generated code calls would only be in the way of somebody who types a dot.</summary>
    [Test]
    public void IntelliSense_does_not_offer_what_only_generated_code_calls()
    {
        MemberInfo[] hidden =
        [
            .. typeof(PacketReader).GetMember("InField"),
            .. typeof(IPacket<>).GetMember("PacketType"), .. typeof(IRequest<>).GetMember("PacketType"),
        ];
        Assert.That(hidden, Has.Length.EqualTo(3));
        Assert.That(
            hidden.Select(member => member.GetCustomAttribute<EditorBrowsableAttribute>()?.State),
                Is.All.EqualTo(EditorBrowsableState.Never));
    }
}
