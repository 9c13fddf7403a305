using System;
using System.Collections.Generic;
using Transport.Generator.Model;

namespace Transport.Generator.Emit;

/// <summary>The code that reads and writes one value. Collections and tuples get two methods each, written at the end.</summary>
/// <param name="usesTables">Whether texts and maps that come again may be referred to.</param>
internal sealed class Values(bool usesTables)
{
    private readonly Dictionary<TypeModel, string> _names = [];
    /// <summary>What comes behind Read and Write in the names of methods; the first three are every formatter's own.</summary>
    private readonly HashSet<string> _taken = ["Fields", "Nested", "Older"];

    /// <summary>Gets the types that need methods, in the order in which they were met.</summary>
    public List<(TypeModel Type, string Name)> Pending { get; } = [];

    /// <summary>Gets the declarations of the formatters that fields have for themselves.</summary>
    public List<string> Formatters { get; } = [];

    /// <summary>Gets a value indicating whether texts and maps that come again may be referred to.</summary>
    public bool UsesTables => usesTables;

    /// <summary>The expression that reads a value.</summary>
    /// <param name="type">Its type.</param>
    /// <param name="name">What to call its methods after, if it needs any.</param>
    public string Read(TypeModel type, string name)
    {
        if (type.Shape == TypeShape.Text)
        {
            return type.MayBeNull ? "reader.ReadString()" : "reader.ReadRequiredString()";
        }

        string bare = ReadBare(type, name);
        string none = type.IsValueType ? $"({type.Name})null" : "null";
        return type.MayBeNull ? $"reader.TryReadNil() ? {none} : {bare}" : bare;
    }

    /// <summary>Writes the statements that write a value.</summary>
    /// <param name="code">Takes the code.</param>
    /// <param name="type">Its type.</param>
    /// <param name="value">The expression of the value.</param>
    /// <param name="name">What to call its methods and its variable after.</param>
    /// <param name="isName">Whether it is a name, such as a map's key: a text that certainly comes again.</param>
    public void Write(CodeWriter code, TypeModel type, string value, string name, bool isName = false)
    {
        if (!type.MayBeNull || type.Shape == TypeShape.Text)
        {
            code.Line(WriteBare(type, value, name, isName));
            return;
        }

        string there = $"there{name}";
        code.Open($"if ({value} is {{ }} {there})");
        code.Line(WriteBare(type, there, name, isName));
        code.Close();
        code.Open("else");
        code.Line("writer.WriteNil();");
        code.Close();
    }

    private string ReadBare(TypeModel type, string name) => type.Shape switch
    {
        TypeShape.Scalar => $"reader.{type.Read}()",
        TypeShape.Number => $"({type.Bare})reader.{type.Read}()",
        TypeShape.Converted => type.Read,
        TypeShape.Own => $"global::Transport.PacketValueExtensions.ReadValue(ref reader, {FormatterName(type)})",
        TypeShape.Bytes => "reader.ReadBin().ToArray()",
        TypeShape.Memory => $"({type.Bare})reader.ReadBin().ToArray()",
        TypeShape.Object => $"{type.Bare}.PacketFormatter.ReadNested(ref reader)",
        TypeShape.Union => $"{type.Bare}.PacketFormatter.ReadNested{(type.MayBeNull ? "IfKnown" : "")}(ref reader)",
        _ => $"Read{MethodName(type, name)}(ref reader)",
    };

    private string WriteBare(TypeModel type, string value, string name, bool isName) => type.Shape switch
    {
        TypeShape.Scalar => $"writer.{type.Write}({value});",
        TypeShape.Number => $"writer.{type.Write}(({type.Cast}){value});",
        TypeShape.Converted => type.Write.Replace("$", value),
        TypeShape.Text => WriteText(type, value, isName),
        TypeShape.Own => $"global::Transport.PacketValueExtensions.WriteValue(ref writer, {FormatterName(type)}, {value});",
        TypeShape.Bytes => $"writer.WriteBin({value});",
        TypeShape.Memory => $"writer.WriteBin({value}.Span);",
        TypeShape.Object or TypeShape.Union => $"{type.Bare}.PacketFormatter.WriteNested(ref writer, {value});",
        _ => $"Write{MethodName(type, name)}(ref writer, {value});",
    };

    /// <summary>The static field that holds the one formatter of its kind for a type.</summary>
    private string FormatterName(TypeModel type)
    {
        string kind = $"global::Transport.IPacketFormatter<{type.Bare}> ";
        string made = $" = new {type.Read}();";
        int at = Formatters.FindIndex(f => f.StartsWith(kind, StringComparison.Ordinal) && f.EndsWith(made, StringComparison.Ordinal));
        if (at < 0)
        {
            at = Formatters.Count;
            Formatters.Add($"{kind}Own{at}{made}");
        }

        return $"Own{at}";
    }

    private string WriteText(TypeModel type, string value, bool isName)
    {
        if (usesTables)
        {
            return $"writer.WriteTableString({value}{(type.MayBeNull ? "" : " ?? string.Empty")}{(isName ? "" : ", mayBeUnique: true")});";
        }

        return type.MayBeNull ? $"writer.WriteString({value});" : $"writer.WriteString(global::System.MemoryExtensions.AsSpan({value}));";
    }

    private string MethodName(TypeModel type, string name)
    {
        TypeModel bare = type with { MayBeNull = false, Name = type.Bare };
        if (_names.TryGetValue(bare, out string? known))
        {
            return known;
        }

        string free = name;
        for (int i = 2; !_taken.Add(free); i++)
        {
            free = name + i;
        }

        _names.Add(bare, free);
        Pending.Add((bare, free));
        return free;
    }
}
