using System.Globalization;
using System.Linq;
using Transport.Generator.Model;

namespace Transport.Generator.Emit;

/// <summary>Writes the part of a union that the generator adds: its formatter, which writes the number of a case and its value.</summary>
internal sealed class UnionEmitter
{
    private const string Space = "global::Transport.";
    private const string Reader = $"ref {Space}PacketReader reader";
    private const string Writer = $"ref {Space}PacketWriter writer";

    private readonly CodeWriter _code = new();
    private readonly UnionModel _union;

    private UnionEmitter(UnionModel union) => _union = union;

    private string Type => _union.Shell.Code;

    private string Title => _union.Shell.Name.TrimStart('@');

    public static string Emit(UnionModel union)
    {
        var emitter = new UnionEmitter(union);
        Shell.Open(emitter._code, union.Shell, bases: string.Empty);
        emitter.EmitFormatter();
        Shell.Close(emitter._code, union.Shell);
        return emitter._code.ToString();
    }

    private void EmitFormatter()
    {
        string cases = string.Join(", ", _union.Cases.Select(c => $"{Number(c)} {c.Name}"));
        string summary = $"Writes and reads {Shell.Xml(Title)} as a MessagePack array of a number and a value: {Shell.Xml(cases)}.";
        _code.Line($"/// <summary>{summary}</summary>");
        Shell.Mark(_code);
        _code.Open($"public sealed class PacketFormatter : {Space}IPacketFormatter<{Type}>");
        EmitBody();
        EmitNested();
        EmitMakeDefault();
        EmitWriteCase();
        EmitReadCase();
        _code.Close();
    }

    private void EmitBody()
    {
        _code.Line("/// <inheritdoc/>");
        _code.Open($"public void Write(global::System.Buffers.IBufferWriter<byte> output, {Type} packet)");
        _code.Line($"{Space}PacketWriter writer = new {Space}PacketWriter(output);");
        _code.Line("WriteCase(ref writer, packet);");
        _code.Line("writer.Flush();");
        _code.Close();
        _code.Line();
        _code.Line("/// <inheritdoc/>");
        _code.Open($"public {Type} Read(in global::System.Buffers.ReadOnlySequence<byte> body)");
        _code.Line($"{Space}PacketReader reader = new {Space}PacketReader(body);");
        _code.Line($"{Type} packet = ReadCase(ref reader, mayBeUnknown: false)!;");
        _code.Line("reader.ReadEnd();");
        _code.Line("return packet;");
        _code.Close();
        _code.Line();
    }

    private void EmitNested()
    {
        _code.Line("/// <summary>Writes it as a value inside another packet.</summary>");
        _code.Line("/// <param name=\"writer\">Where to.</param>");
        _code.Line("/// <param name=\"value\">The value; null, where there should be one, is written as the default.</param>");
        Shell.Hide(_code);
        _code.Open($"public static void WriteNested({Writer}, {Type}? value)");
        _code.Line("writer.EnterNested();");
        _code.Line("WriteCase(ref writer, value);");
        _code.Line("writer.LeaveNested();");
        _code.Close();
        _code.Line();
        EmitReadNested(
            "Reads it as a value inside another packet.",
            "The value.",
            Type,
            "ReadNested",
            "ReadCase(ref reader, mayBeUnknown: false)!");
        EmitReadNested(
            "Reads it as a value inside another packet, if its case is known.",
            "The value; null if its number is that of no case here.",
            Type + "?",
            "ReadNestedIfKnown",
            "ReadCase(ref reader, mayBeUnknown: true)");
    }

    private void EmitReadNested(string summary, string returns, string type, string name, string read)
    {
        _code.Line($"/// <summary>{summary}</summary>");
        _code.Line("/// <param name=\"reader\">Where from.</param>");
        _code.Line($"/// <returns>{returns}</returns>");
        _code.Open($"public static {type} {name}({Reader})");
        _code.Line("reader.EnterNested();");
        _code.Line($"{type} value = {read};");
        _code.Line("reader.LeaveNested();");
        _code.Line("return value;");
        _code.Close();
        _code.Line();
    }

    private void EmitMakeDefault()
    {
        const string Summary = "Makes the value that stands for one that a packet lacks: a case with every field at its default.";
        _code.Line($"/// <summary>{Summary}</summary>");
        _code.Line("/// <returns>The value.</returns>");
        Shell.Hide(_code);
        _code.Line($"public static {Type} MakeDefault() => {_union.Default.Code}.PacketFormatter.MakeDefault();");
        _code.Line();
    }

    /// <summary>A case that is derived from another is looked for before that one.</summary>
    private void EmitWriteCase()
    {
        _code.Open($"private static void WriteCase({Writer}, {Type}? value)");
        _code.Line("writer.WriteArrayHeader(2);");
        _code.Open("switch (value)");
        foreach (UnionCase one in _union.Cases.OrderByDescending(c => c.Depth))
        {
            _code.Line($"case {one.Code} case{Number(one)}:");
            _code.Line($"    writer.WriteInt({Number(one)});");
            _code.Line($"    {one.Code}.PacketFormatter.WriteNested(ref writer, case{Number(one)});");
            _code.Line("    break;");
        }

        _code.Line("case null:");
        _code.Line($"    writer.WriteInt({Number(_union.Default)});");
        _code.Line("    writer.WriteArrayHeader(0);");
        _code.Line("    break;");
        _code.Line("default:");
        string none = $" is no case of the union {Title}: give it a number there, by [PacketUnion].";
        _code.Line($"    throw new global::System.ArgumentException(value.GetType().FullName + {Shell.Quote(none)});");
        _code.Close();
        _code.Close();
        _code.Line();
    }

    private void EmitReadCase()
    {
        _code.Open($"private static {Type}? ReadCase({Reader}, bool mayBeUnknown)");
        _code.Line("int count = reader.ReadArrayHeader(2);");
        _code.Line("int at = reader.Consumed;");
        _code.Line($"int number = (int){Space}PacketValueExtensions.ReadInt64(ref reader, 0L, {int.MaxValue}L);");
        _code.Line($"{Type}? value = null;");
        _code.Open("switch (number)");
        foreach (UnionCase one in _union.Cases)
        {
            _code.Line($"case {Number(one)}:");
            _code.Line($"    value = {one.Code}.PacketFormatter.ReadNested(ref reader);");
            _code.Line("    break;");
        }

        _code.Line("default:");
        _code.Line("    if (!mayBeUnknown)");
        _code.Line("    {");
        string came = "number.ToString(global::System.Globalization.CultureInfo.InvariantCulture) + \", which is none here\"";
        _code.Line($"        throw reader.CreateFormatException(at, {Shell.Quote("the number of a case of " + Title)}, {came});");
        _code.Line("    }");
        _code.Line();
        _code.Line("    reader.Skip(1);");
        _code.Line("    break;");
        _code.Close();
        _code.Line();
        _code.Line("reader.Skip(count - 2);");
        _code.Line("return value;");
        _code.Close();
    }

    private static string Number(UnionCase one) => one.Number.ToString(CultureInfo.InvariantCulture);
}
