using System.Linq;
using Transport.Generator.Model;

namespace Transport.Generator.Emit;

/// <summary>The two methods of a tuple: an array of its elements.</summary>
internal static class TupleEmitter
{
    public static void Emit(CodeWriter code, bool usesForbidden, Values values, TypeModel type, string name)
    {
        PacketEmitter.EmitForbidden(code, usesForbidden);
        code.Open($"private static void Write{name}(ref global::Transport.PacketWriter writer, {type.Bare} value)");
        code.Line("writer.EnterNested();");
        code.Line($"writer.WriteArrayHeader({type.Parts.Count});");
        for (int i = 1; i <= type.Parts.Count; i++)
        {
            values.Write(code, type.Parts[i - 1], $"value.Item{i}", $"{name}Item{i}");
        }

        code.Line("writer.LeaveNested();");
        code.Close();
        code.Line();
        PacketEmitter.EmitForbidden(code, usesForbidden);
        code.Open($"private static {type.Bare} Read{name}(ref global::Transport.PacketReader reader)");
        code.Line("reader.EnterNested();");
        code.Line($"int count = reader.ReadArrayHeader({type.Parts.Count});");
        for (int i = 1; i <= type.Parts.Count; i++)
        {
            code.Line($"{type.Parts[i - 1].Name} item{i} = {values.Read(type.Parts[i - 1], $"{name}Item{i}")};");
        }

        code.Line($"reader.Skip(count - {type.Parts.Count});");
        code.Line("reader.LeaveNested();");
        code.Line($"return new {type.Bare}({string.Join(", ", Enumerable.Range(1, type.Parts.Count).Select(i => $"item{i}"))});");
        code.Close();
    }
}
