using System.Linq;
using Transport.Generator.Model;

namespace Transport.Generator.Emit;

/// <summary>Writes the part of a packet that the generator adds: its PacketType and its formatter.</summary>
internal sealed class PacketEmitter
{
    private const string Space = "global::Transport.";
    private const string Reader = $"ref {Space}PacketReader reader";
    private const string Writer = $"ref {Space}PacketWriter writer";

    private readonly CodeWriter _code;
    private readonly Values _values;
    private readonly PacketModel _packet;
    private readonly int _count;
    private readonly bool _isNested;

    private PacketEmitter(PacketModel packet, CodeWriter code, bool isNested)
    {
        _code = code;
        _isNested = isNested;
        _packet = packet;
        _count = packet.Fields.Count;

        // A value inside of packets does not know which: it offers its texts to the tables, and the packet's type decides.
        _values = new Values(packet.Header?.Tables ?? true);
    }

    private string Code => _packet.Shell.Code;

    private string Title => _packet.Header?.Name ?? _packet.Shell.Name.TrimStart('@');

    public static string Emit(PacketModel packet)
    {
        var emitter = new PacketEmitter(packet, new CodeWriter(), isNested: true);
        emitter.EmitFile();
        return emitter._code.ToString();
    }

    /// <summary>Writes the formatter alone, into a type that stands open and that no other packet holds.</summary>
    public static void EmitFormatter(CodeWriter code, PacketModel packet) =>
        new PacketEmitter(packet, code, isNested: false).EmitFormatter();

    /// <summary>A field that nobody may use any more still travels: the compiler lets what is Obsolete use it.</summary>
    public static void EmitForbidden(CodeWriter code, bool uses)
    {
        if (uses)
        {
            code.Line("[global::System.Obsolete]");
        }
    }

    private void EmitFile()
    {
        string interfaces = _packet.Header is not { } header ? string.Empty
            : $" : {Space}IPacket<{Code}>" + string.Concat(header.Requests.Select(request => $", {request}"));
        Shell.Open(_code, _packet.Shell, interfaces);
        EmitType();
        EmitFormatter();
        Shell.Close(_code, _packet.Shell);
    }

    private void EmitType()
    {
        if (_packet.Header is not { } header)
        {
            return;
        }

        string level = header.Level is null ? string.Empty : $", static packet => unchecked(({Space}PacketLevel)packet.{header.Level})";
        string tables = header.Tables ? ", usesTables: true" : string.Empty;
        string type = $"{Space}PacketType<{Code}>";
        _code.Line($"/// <summary>Gets packet type {header.Id}, {Shell.Xml(header.Name)}; lane {header.Lane}.</summary>");
        Shell.Mark(_code);
        string arguments = $"{header.Id}, {Shell.Quote(header.Name)}, new PacketFormatter(), "
            + $"{Space}Lane.{header.Lane}{level}{tables}, validatesBody: true";
        _code.Line($"public static {type} PacketType {{ get; }} = new {type}({arguments});");
        _code.Line();
        EmitInterface(type, $"{Space}IPacket<{Code}>");
        foreach (string request in header.Requests)
        {
            EmitInterface($"{Space}PacketType", request);
        }
    }

    private void EmitInterface(string type, string owner)
    {
        Shell.Mark(_code);
        _code.Line($"{type} {owner}.PacketType => PacketType;");
        _code.Line();
    }

    private void EmitFormatter()
    {
        string fields = _count == 0 ? "nothing" : string.Join(", ", _packet.Fields.Select(f => f.Name));
        _code.Line($"/// <summary>Writes and reads {Shell.Xml(Title)} as a MessagePack array: {fields}.</summary>");
        Shell.Mark(_code);
        _code.Open($"public sealed class PacketFormatter : {Space}IPacketFormatter<{Code}>");
        _code.Line($"private static readonly string[] FieldNames = new string[] {{ "
            + $"{string.Join(", ", _packet.Fields.Select(f => Shell.Quote(f.Name)))} }};");
        _code.Line();
        EmitWrite();
        EmitRead();
        if (_isNested)
        {
            EmitNested();
            EmitMakeDefault();
        }

        EmitWriteFields();
        EmitReadFields();
        EmitReadOlder();
        for (int i = 0; i < _values.Pending.Count; i++)
        {
            _code.Line();
            EmitMethods(_values.Pending[i].Type, _values.Pending[i].Name);
        }

        foreach (string formatter in _values.Formatters)
        {
            _code.Line();
            EmitForbidden(_code, _packet.UsesForbidden);
            _code.Line($"private static readonly {formatter}");
        }

        _code.Close();
    }

    /// <summary>Writes the two methods of a type that has no formatter.</summary>
    private void EmitMethods(TypeModel type, string name)
    {
        if (type.Shape == TypeShape.Tuple)
        {
            TupleEmitter.Emit(_code, _packet.UsesForbidden, _values, type, name);
        }
        else
        {
            CollectionEmitter.Emit(_code, _packet.UsesForbidden, _values, type, name);
        }
    }

    private void EmitWrite()
    {
        _code.Line("/// <inheritdoc/>");
        _code.Open($"public void Write(global::System.Buffers.IBufferWriter<byte> output, {Code} packet)");
        _code.Line($"{Space}PacketWriter writer = new {Space}PacketWriter(output);");
        _code.Line("WriteFields(ref writer, packet);");
        _code.Line("writer.Flush();");
        _code.Close();
        _code.Line();
    }

    private void EmitRead()
    {
        _code.Line("/// <inheritdoc/>");
        _code.Open($"public {Code} Read(in global::System.Buffers.ReadOnlySequence<byte> body)");
        _code.Line($"{Space}PacketReader reader = new {Space}PacketReader(body);");
        _code.Open("try");
        _code.Line($"{Code} packet = ReadFields(ref reader);");
        _code.Line("reader.ReadEnd();");
        _code.Line("return packet;");
        _code.Close();
        EmitCatches("0");
        _code.Close();
        _code.Line();
    }

    private void EmitCatches(string start)
    {
        _code.Open($"catch (global::Transport.TransportException fault) when (fault.Fault == "
            + "global::Transport.TransportFault.PacketMalformed)");
        _code.Line($"throw reader.InField(fault, {start}, {Shell.Quote(Title)}, FieldNames);");
        _code.Close();
        _code.Open("catch (global::System.ArgumentException refused)");
        _code.Line($"throw reader.CreateFormatException({start}, {Shell.Quote("values that " + Title + " takes")}, refused.Message);");
        _code.Close();
    }

    private void EmitNested()
    {
        _code.Line("/// <summary>Writes it as a value inside another packet.</summary>");
        _code.Line("/// <param name=\"writer\">Where to.</param>");
        _code.Line("/// <param name=\"value\">The value; null, where there should be one, is written without fields.</param>");
        Shell.Hide(_code);
        _code.Open($"public static void WriteNested({Writer}, {Code}{(_packet.IsValueType ? "" : "?")} value)");
        if (!_packet.IsValueType)
        {
            _code.Open("if (value is null)");
            _code.Line("writer.WriteArrayHeader(0);");
            _code.Line("return;");
            _code.Close();
            _code.Line();
        }

        _code.Line("writer.EnterNested();");
        _code.Line("WriteFields(ref writer, value);");
        _code.Line("writer.LeaveNested();");
        _code.Close();
        _code.Line();
        _code.Line("/// <summary>Reads it as a value inside another packet.</summary>");
        _code.Line("/// <param name=\"reader\">Where from.</param>");
        _code.Line("/// <returns>The value.</returns>");
        Shell.Hide(_code);
        _code.Open($"public static {Code} ReadNested({Reader})");
        _code.Line("int start = reader.Consumed;");
        _code.Open("try");
        _code.Line("reader.EnterNested();");
        _code.Line($"{Code} value = ReadFields(ref reader);");
        _code.Line("reader.LeaveNested();");
        _code.Line("return value;");
        _code.Close();
        EmitCatches("start");
        _code.Close();
        _code.Line();
    }

    private void EmitMakeDefault()
    {
        _code.Line("/// <summary>Makes the value that stands for one that a packet lacks: every field at its default.</summary>");
        _code.Line("/// <returns>The value.</returns>");
        Shell.Hide(_code);
        _code.Open($"public static {Code} MakeDefault()");
        _code.Line($"{Space}PacketReader reader = default({Space}PacketReader);");
        _code.Line("return ReadOlder(ref reader, 0);");
        _code.Close();
        _code.Line();
    }

    private void EmitWriteFields()
    {
        EmitForbidden(_code, _packet.UsesForbidden);
        _code.Line("[global::System.Runtime.CompilerServices.MethodImpl("
            + "global::System.Runtime.CompilerServices.MethodImplOptions.AggressiveInlining)]");
        _code.Open($"private static void WriteFields({Writer}, {Code} packet)");
        _code.Line($"writer.WriteArrayHeader({_count});");
        foreach (FieldModel field in _packet.Fields)
        {
            _values.Write(_code, field.Type, $"packet.{field.Code}", field.Name);
        }

        _code.Close();
        _code.Line();
    }

    private void EmitReadFields()
    {
        EmitForbidden(_code, _packet.UsesForbidden);
        _code.Open($"private static {Code} ReadFields({Reader})");
        _code.Line("int count = reader.ReadArrayHeader();");
        if (_count > 0)
        {
            _code.Open($"if (count < {_count})");
            _code.Line("return ReadOlder(ref reader, count);");
            _code.Close();
            _code.Line();
        }

        foreach (FieldModel field in _packet.Fields)
        {
            _code.Line($"{field.Type.Name} {Local(field)} = {_values.Read(field.Type, field.Name)};");
        }

        _code.Line();
        _code.Open($"if (count > {_count})");
        _code.Line($"reader.Skip(count - {_count});");
        _code.Close();
        _code.Line();
        _code.Line($"return {Make(_packet.Fields.Where(f => f.IsSet))};");
        _code.Close();
        _code.Line();
    }

    private void EmitReadOlder()
    {
        _code.Line("// From a writer that knows fewer fields: the others get their defaults.");
        EmitForbidden(_code, _packet.UsesForbidden);
        _code.Open($"private static {Code} ReadOlder({Reader}, int count)");
        int i = 0;
        foreach (FieldModel field in _packet.Fields)
        {
            string read = _values.Read(field.Type, field.Name);
            _code.Line($"{field.Type.Name} {Local(field)} = count > {i++} ? {(read.Contains('?') ? $"({read})" : read)} : "
                + $"{Defaults.Of(field)};");
        }

        _code.Line();
        EmitInitialized();
        _code.Line($"return {Make(_packet.Fields.Where(f => f.IsSet))};");
        _code.Close();
    }

    /// <summary>Fields with an initializer take their defaults from a fresh object.</summary>
    private void EmitInitialized()
    {
        FieldModel[] fields = [.. _packet.Fields.Where(f => f.HasInitializer)];
        if (fields.Length == 0)
        {
            return;
        }

        FieldModel[] all = [.. _packet.Fields];
        int last = all.Length - 1;
        while (!all[last].HasInitializer)
        {
            last--;
        }

        _code.Open($"if (count <= {last})");
        _code.Line($"{Code} fresh = {Make(_packet.Fields.Where(f => f.IsSet && f.IsRequired))};");
        foreach (FieldModel field in fields)
        {
            _code.Line();
            string orElse = field.Type is { MayBeNull: false, IsValueType: false } ? $" ?? {Local(field)}" : string.Empty;
            _code.Open($"if (count <= {System.Array.IndexOf(all, field)})");
            _code.Line($"{Local(field)} = fresh.{field.Code}{orElse};");
            _code.Close();
        }

        _code.Close();
        _code.Line();
    }

    private string Make(System.Collections.Generic.IEnumerable<FieldModel> set)
    {
        string arguments = string.Join(", ", _packet.Arguments.Select(i => Local(_packet.Fields[i])));
        string initializer = string.Join(", ", set.Select(f => $"{f.Code} = {Local(f)}"));
        return $"new {Code}({arguments}){(initializer.Length == 0 ? "" : $" {{ {initializer} }}")}";
    }

    private static string Local(FieldModel field) => "field" + field.Name;
}
