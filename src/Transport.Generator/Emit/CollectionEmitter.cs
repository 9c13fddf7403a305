using Transport.Generator.Model;

namespace Transport.Generator.Emit;

/// <summary>The two methods of a collection. A reader's collection grows with what was read, not with what was claimed.</summary>
internal static class CollectionEmitter
{
    private const string Reader = "global::Transport.PacketReader";

    public static void Emit(CodeWriter code, bool usesForbidden, Values values, TypeModel type, string name)
    {
        PacketEmitter.EmitForbidden(code, usesForbidden);
        EmitWrite(code, values, type, name);
        code.Line();
        PacketEmitter.EmitForbidden(code, usesForbidden);
        EmitRead(code, usesForbidden, values, type, name);
    }

    private static void EmitWrite(CodeWriter code, Values values, TypeModel type, string name)
    {
        string header = Collections.IsMap(type) ? "WriteMapHeader" : "WriteArrayHeader";
        code.Open($"private static void Write{name}(ref global::Transport.PacketWriter writer, "
            + $"{type.Bare}{(type.IsValueType ? "" : "?")} items)");
        code.Open(type.IsValueType ? "if (items.IsDefault)" : "if (items is null)");
        code.Line($"writer.{header}(0);");
        code.Line("return;");
        code.Close();
        code.Line();
        code.Line("writer.EnterNested();");
        code.Line($"int count = {Collections.CountOf(type, "items")};");
        bool isTable = Collections.IsMap(type) && values.UsesTables;
        code.Line($"writer.{(isTable ? "BeginTableMap" : header)}(count);");
        if (!Collections.IsIndexed(type))
        {
            EmitWriteEach(code, values, type, name);
        }
        else
        {
            code.Open("for (int i = 0; i < count; i++)");
            if (Collections.IsMap(type))
            {
                code.Line($"{Collections.ItemName(type)} pair = items[i];");
                EmitWritePair(code, values, type, name);
            }
            else
            {
                values.Write(code, type.Item!, "items[i]", name + "Item");
            }

            code.Close();
        }

        if (isTable)
        {
            code.Line("writer.EndTableMap(mayBeUnique: true);");
        }

        code.Line();
        code.Line("writer.LeaveNested();");
        code.Close();
    }

    private static void EmitWriteEach(CodeWriter code, Values values, TypeModel type, string name)
    {
        bool isMap = Collections.IsMap(type);
        string each = $"foreach ({Collections.ItemName(type)} {(isMap ? "pair" : "item")} in ";
        if (!type.IsInterface)
        {
            code.Open(each + "items)");
            EmitWriteItem(code, values, type, name);
            code.Close();
            return;
        }

        // By the interface a Dictionary would allocate its enumerator; and another map may count one thing and give another.
        code.Open($"if (items is {Collections.QuickName(type)} own)");
        if (type.Shape == TypeShape.Items)
        {
            code.Open("for (int i = 0; i < count; i++)");
            values.Write(code, type.Item!, "own[i]", name + "Item");
        }
        else
        {
            code.Open(each + "own)");
            EmitWriteItem(code, values, type, name);
        }

        code.Close();
        code.Close();
        code.Open("else");
        code.Open(each + "items)");
        EmitWriteItem(code, values, type, name);
        code.Line("count--;");
        code.Close();
        code.Line();
        code.Open("if (count != 0)");
        string what = $"The {(isMap ? "map" : "collection")} {name} has changed while it was written.";
        code.Line($"throw new global::System.InvalidOperationException(\"{what}\");");
        code.Close();
        code.Close();
    }

    private static void EmitWriteItem(CodeWriter code, Values values, TypeModel type, string name)
    {
        if (Collections.IsMap(type))
        {
            EmitWritePair(code, values, type, name);
        }
        else
        {
            values.Write(code, type.Item!, "item", name + "Item");
        }
    }

    private static void EmitWritePair(CodeWriter code, Values values, TypeModel type, string name)
    {
        values.Write(code, type.Key!, "pair.Key", name + "Key", isName: true);
        values.Write(code, type.Item!, "pair.Value", name + "Value");
    }

    private static void EmitRead(CodeWriter code, bool usesForbidden, Values values, TypeModel type, string name)
    {
        string made = $"private static {Collections.MadeName(type)}", method = $"Read{name}";
        if (Collections.IsMap(type))
        {
            string fill = $"static (ref {Reader} map) => Fill{name}(ref map)";
            code.Line($"{made} {method}(ref {Reader} reader) => reader.ReadTableMap({fill}, isShared: false);");
            code.Line();
            PacketEmitter.EmitForbidden(code, usesForbidden);
            method = $"Fill{name}";
        }

        code.Open($"{made} {method}(ref {Reader} reader)");
        code.Line("reader.EnterNested();");
        code.Line($"int count = reader.{(Collections.IsMap(type) ? "ReadMapHeader" : "ReadArrayHeader")}();");
        code.Line($"{Collections.FilledName(type)} items = {Collections.Empty(type)};");
        code.Open("for (int i = 0; i < count; i++)");
        if (Collections.IsFilledAsArray(type))
        {
            string longer = $"(int)global::System.Math.Min(count, global::System.Math.Max({Collections.FirstItems}L, 2L * i))";
            code.Open("if (i == items.Length)");
            code.Line($"global::System.Array.Resize(ref items, {longer});");
            code.Close();
            code.Line();
        }

        EmitReadItem(code, values, type, name);
        code.Close();
        code.Line();
        code.Line("reader.LeaveNested();");
        code.Line($"return {Collections.Filled(type)};");
        code.Close();
    }

    private static void EmitReadItem(CodeWriter code, Values values, TypeModel type, string name)
    {
        switch (type.Shape)
        {
            case TypeShape.Array or TypeShape.Items:
                code.Line($"items[i] = {values.Read(type.Item!, name + "Item")};");
                break;
            case TypeShape.List or TypeShape.ImmutableArray or TypeShape.ImmutableList:
                code.Line($"items.Add({values.Read(type.Item!, name + "Item")});");
                break;
            case TypeShape.Set:
                code.Line("int at = reader.Consumed;");
                EmitAdd(code, type.Item!, values.Read(type.Item!, name + "Item"));
                code.Line("throw reader.CreateFormatException(at, \"values that differ\", \"one that is there already\");");
                code.Close();
                break;
            default:
                if (Collections.HasKeys(type))
                {
                    code.Line("int at = reader.Consumed;");
                }

                code.Line($"{type.Key!.Name} key = {values.Read(type.Key, name + "Key")};");
                code.Line($"{type.Item!.Name} value = {values.Read(type.Item, name + "Value")};");
                EmitPut(code, type);
                break;
        }
    }

    /// <summary>Opens the block for a value that is in the set already. Several may be null: cases of a union that a reader does not
    /// know.</summary>
    private static void EmitAdd(CodeWriter code, TypeModel item, string read)
    {
        if (item is { Shape: TypeShape.Union, MayBeNull: true })
        {
            code.Line($"{item.Name} item = {read};");
            code.Open("if (!items.Add(item) && item is not null)");
        }
        else
        {
            code.Open($"if (!items.Add({read}))");
        }
    }

    private static void EmitPut(CodeWriter code, TypeModel type)
    {
        if (type.Shape == TypeShape.PairArray)
        {
            code.Line($"items[i] = new {Collections.ItemName(type)}(key, value);");
            return;
        }

        if (type.Shape == TypeShape.PairList)
        {
            code.Line($"items.Add(new {Collections.ItemName(type)}(key, value));");
            return;
        }

        code.Line("items[key] = value;");
        code.Open("if (items.Count != i + 1)");
        code.Line("throw reader.CreateFormatException(at, \"keys that differ\", \"one that is there already\");");
        code.Close();
    }
}
