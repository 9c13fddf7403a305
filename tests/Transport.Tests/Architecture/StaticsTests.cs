using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using NUnit.Framework;

namespace Transport.Tests.Architecture;

/// <summary>No state outlives what it belongs to: the assemblies have no static that changes.</summary>
internal sealed class StaticsTests
{
    private static IEnumerable<Assembly> Assemblies =>
    [
        typeof(Link).Assembly, Assembly.Load("Transport.Logging"), Assembly.Load("Transport.Files"), Assembly.Load("Transport.Journal"),
    ];

    [Test]
    public void No_static_field_can_be_assigned()
    {
        IEnumerable<string> wrong =
            from assembly in Assemblies
            from type in assembly.GetTypes()
            where !IsCompilerMade(type)
            from field in type.GetFields(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly)
            where !field.IsInitOnly && !field.IsLiteral && !IsCompilerMade(field)
            select $"{type.FullName}.{field.Name}";
        Assert.That(wrong, Is.Empty);
    }

    [Test]
    public void No_static_holds_a_collection_that_grows()
    {
        IEnumerable<string> wrong =
            from assembly in Assemblies
            from type in assembly.GetTypes()
            where !IsCompilerMade(type)
            from field in type.GetFields(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly)
            where field.FieldType.IsGenericType && field.FieldType.Namespace is "System.Collections.Generic"
                or "System.Collections.Concurrent"
            where field.FieldType is { IsInterface: false } && !field.FieldType.Name.StartsWith("KeyValuePair", StringComparison.Ordinal)
            where !field.FieldType.Name.Contains("Comparer")
            select $"{type.FullName}.{field.Name}";
        Assert.That(wrong, Is.Empty);
    }

    private static bool IsCompilerMade(MemberInfo member) =>
        member.Name.Contains('<') && !member.Name.EndsWith("k__BackingField", StringComparison.Ordinal)
        || member.DeclaringType is { } outer && IsCompilerMade(outer)
        || member is Type && member.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false);
}
