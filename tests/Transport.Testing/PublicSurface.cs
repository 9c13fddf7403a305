using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text;
using NUnit.Framework;

namespace Transport.Testing;

/// <summary>What users of a package can name, as lines of text that stand in a golden file.</summary>
public static class PublicSurface
{
    private const string Update = "TRANSPORT_UPDATE_GOLDEN";

    /// <summary>Fails if packages offer anything else than a file says; writes the file instead, if the environment asks for it.</summary>
    /// <param name="path">The golden file.</param>
    /// <param name="assemblies">The packages.</param>
    public static void Check(string path, IEnumerable<Assembly> assemblies)
    {
        string[] now = [.. assemblies.SelectMany(Of)];
        if (Environment.GetEnvironmentVariable(Update) == "1")
        {
            File.WriteAllText(path, string.Join("\n", now) + "\n", new UTF8Encoding(false));
        }

        string[] then = File.Exists(path) ? File.ReadAllLines(path) : [];
        IEnumerable<string> diff = then.Except(now).Select(l => "- " + l).Concat(now.Except(then).Select(l => "+ " + l))
            .OrderBy(l => l.Substring(2), StringComparer.Ordinal);
        Assert.That(diff, Is.Empty, $"The public API differs from {Path.GetFileName(path)}. "
            + $"If that is meant: run this test with {Update}=1 in the environment, look over the change and commit it.");
    }

    /// <summary>Describes a package: its public types, each with its members.</summary>
    /// <param name="assembly">The package.</param>
    /// <returns>A line a type or member.</returns>
    public static IEnumerable<string> Of(Assembly assembly) =>
        from type in assembly.GetExportedTypes()
        orderby type.FullName
        from line in new[] { TypeLine(type) }.Concat(Members(type).OrderBy(m => m, StringComparer.Ordinal)
            .Select(m => "  " + type.Name + ": " + m))
        select line;

    private static string TypeLine(Type type)
    {
        string kind = type.IsEnum ? "enum" : type.IsInterface ? "interface" : type.IsValueType ? "struct"
            : typeof(Delegate).IsAssignableFrom(type) ? "delegate" : "class";
        string made = type is { IsClass: true, IsAbstract: true, IsSealed: true } ? "static " : type is { IsClass: true, IsAbstract: true }
            ? "abstract " : string.Empty;
        string[] bases = [.. new[] { type.BaseType }.OfType<Type>().Where(t => t.Namespace != "System")
            .Concat(type.IsEnum ? [] : type.GetInterfaces().Where(i => i.IsPublic && i.Name[0] != '_'))   // _Attribute: of COM
            .Select(Name).OrderBy(n => n, StringComparer.Ordinal)];
        return $"{made}{kind} {type.Namespace}.{Name(type)}{(bases.Length > 0 ? " : " + string.Join(", ", bases) : string.Empty)}";
    }

    private static IEnumerable<string> Members(Type type)
    {
        const BindingFlags All =
            BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;
        if (type.IsEnum)
        {
            return Enum.GetNames(type).Select(n => $"{n} = {Convert.ToInt64(Enum.Parse(type, n))}");
        }

        IEnumerable<string> fields = type.GetFields(All).Where(f => f.IsPublic)
            .Select(f => $"{(f.IsLiteral ? "const" : "field")} {Name(f.FieldType)} {f.Name}");
        IEnumerable<string> constructors = type.GetConstructors(All).Where(IsSeen).Select(c => $"new({Parameters(c)})");
        IEnumerable<string> properties = type.GetProperties(All).Where(p => IsSeen(p.GetMethod) || IsSeen(p.SetMethod))
            .Select(p => $"{Name(p.PropertyType)} {p.Name} "
                + $"{{{(IsSeen(p.GetMethod) ? " get;" : "")}{(IsSeen(p.SetMethod) ? IsInit(p) ? " init;" : " set;" : "")} }}");
        IEnumerable<string> events = type.GetEvents(All).Where(e => IsSeen(e.AddMethod))
            .Select(e => $"event {Name(e.EventHandlerType!)} {e.Name}");
        IEnumerable<string> methods = type.GetMethods(All)
            .Where(m => IsSeen(m) && (!m.IsSpecialName || m.Name.StartsWith("op_", StringComparison.Ordinal)) && !IsRecordMade(type, m))
            .Select(m => $"{(m.IsStatic ? "static " : "")}{Name(m.ReturnType)} {m.Name}{Generic(m)}({Parameters(m)})");
        return fields.Concat(constructors).Concat(properties).Concat(events).Concat(methods);
    }

    private static bool IsInit(PropertyInfo property) => property.SetMethod!.ReturnParameter.GetRequiredCustomModifiers()
        .Any(modifier => modifier.Name == "IsExternalInit");

    private static bool IsSeen(MethodBase? method) => method is { IsPublic: true } or { IsFamily: true } or { IsFamilyOrAssembly: true };

    /// <summary>What every record has says nothing about this one.</summary>
    private static bool IsRecordMade(Type type, MethodInfo method) =>
        (type.GetMethod("PrintMembers", BindingFlags.NonPublic | BindingFlags.Instance) is not null
            || type.GetMethod("<Clone>$") is not null)
        && method.Name is "Equals" or "GetHashCode" or "ToString" or "PrintMembers" or "op_Equality" or "op_Inequality" or "Deconstruct"
            or "<Clone>$";

    private static string Generic(MethodInfo method) => method.IsGenericMethod
        ? $"<{string.Join(", ", method.GetGenericArguments().Select(Name))}>" : string.Empty;

    private static string Parameters(MethodBase method) =>
        string.Join(", ", method.GetParameters().Select(p => (p.IsOut ? "out " : !p.ParameterType.IsByRef ? "" : p.IsIn ? "in " : "ref ")
            + Name(p.ParameterType) + " " + p.Name + (p.HasDefaultValue ? " = " + (p.DefaultValue ?? "default") : "")));

    private static string Name(Type type)
    {
        if (type.IsByRef)
        {
            return Name(type.GetElementType()!);
        }

        if (type.IsArray)
        {
            return Name(type.GetElementType()!) + "[]";
        }

        string name = type.IsNested && !type.IsGenericParameter ? Name(type.DeclaringType!) + "." + type.Name : type.Name;
        return type.IsGenericType && name.IndexOf('`') is var tick and > 0
            ? $"{name.Substring(0, tick)}<{string.Join(", ", type.GetGenericArguments().Select(Name))}>"
            : name;
    }
}
