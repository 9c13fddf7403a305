using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;
using NUnit.Framework;

namespace Transport.Tests.Architecture;

/// <summary>What comes from a peer never decides which type is made: no reader in this repository finds types, members or code by
/// name.</summary>
internal sealed class DeserialisationTests
{
    /// <summary>What serialisers that follow the bytes are made of, and those that the platform brings.</summary>
    private static readonly string[] Forbidden =
    [
        @"\bActivator\.", @"\bType\.GetType\(", @"\bAssembly\.(Load|GetType)", @"\bMakeGeneric(Type|Method)\b",
            @"\bGetUninitializedObject\b", @"\bFormatterServices\b",
        @"\b(Binary|Soap|ObjectState|LosF|NetDataContract)\w*(Formatter|Serializer)\b",
            @"\b(Xml|DataContract|Json|JavaScript)\w*Serializer\b", @"\bJsonConvert\b", @"\bISerializable\b",
        @"\bSerializable\b(?!\s*=)", @"\bILGenerator\b", @"\bDynamicMethod\b", @"\.Compile\(\)",
            @"\.Get(Field|Property|Method|Constructor|Member)s?\(", @"\bInvokeMember\b", @"\bSetValue\(", @"\bMethodInfo\b",
        @"\bPtrToStructure\b",
    ];

    /// <summary>Places that have one of these words for another reason.</summary>
    private static readonly Dictionary<string, string> Reasons = new(StringComparer.Ordinal)
    {
        ["src/Transport/Packets/PacketTypeOf.cs"] = "asks a type that the program's code names for its own property",
        ["src/Transport.MSBuild.Logger/Reading/EventShapeBuilder.cs"] =
            "asks MSBuild's own types whether they have a member that the code names",
        ["src/Transport.MSBuild.Logger/Reading/InstanceMembers.cs"] =
            "reads MSBuild's objects in the process that builds, by names of its own; nothing of it has been on a wire",
        ["src/Transport.MSBuild.Logger/Reading/RawMessage.cs"] = "asks MSBuild's own types for three members that the code names",
        ["src/Transport/Workers/WorkerHost.cs"] = "asks whether this is Mono, by a name of its own",
    };

    private static IEnumerable<(string Name, string[] Lines)> Readers =>
        Sources.In("src", "samples").Where(f => !f.Name.Contains("/Transport.Generator/"));

    [Promise("Trust", "Received data never decides which type is created.")]
    [Test]
    public void Nothing_that_is_read_decides_which_type_is_made()
    {
        var patterns = Forbidden.Select(p => new Regex(p, RegexOptions.None, TimeSpan.FromSeconds(10))).ToArray();
        string[] found =
        [
            .. from file in Readers
               where !Reasons.ContainsKey(file.Name)
               from line in file.Lines
               let code = Regex.Replace(line, "//.*$", string.Empty, RegexOptions.None, TimeSpan.FromSeconds(10))
               from pattern in patterns
               where pattern.IsMatch(code)
               select $"{file.Name}: {line.Trim()}",
        ];
        Assert.That(found, Is.Empty,
            "formatters are written by the compiler or by hand; a use for another reason needs a place in the list, and a reason");
    }

    [Test]
    public void Every_exception_is_still_needed() =>
        Assert.That(Reasons.Keys.Where(name => !Readers.Any(f => f.Name == name
            && f.Lines.Any(l => Forbidden.Any(p => Regex.IsMatch(l, p, RegexOptions.None, TimeSpan.FromSeconds(10)))))), Is.Empty);
}
