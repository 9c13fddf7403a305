using System.ComponentModel;
using System.Linq;
using System.Reflection;
using NUnit.Framework;

namespace Transport.Tests.Architecture;

/// <summary>What users see of the public surface. What it is stands in src/*/PublicAPI, which an analyzer compares.</summary>
internal sealed class PublicApiTests
{
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
