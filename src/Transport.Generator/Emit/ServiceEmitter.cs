using System.Collections.Generic;
using System.Linq;
using Transport.Generator.Model;

namespace Transport.Generator.Emit;

/// <summary>Writes what stands beside a service: its client, what gives calls to the object that answers them, and their packets.</summary>
internal sealed class ServiceEmitter
{
    private const string Space = "global::Transport.";

    private readonly CodeWriter _code = new();
    private readonly ServiceModel _service;

    private ServiceEmitter(ServiceModel service) => _service = service;

    private string Packets => $"{_service.Name}Packets";

    public static string Emit(ServiceModel service)
    {
        var emitter = new ServiceEmitter(service);
        emitter.EmitFile();
        return emitter._code.ToString();
    }

    private static string Call(int i) => $"Call{i}";

    private static string Response(int i) => $"Response{i}";

    private static string List(IEnumerable<string> items) => string.Join(", ", items);

    private void EmitFile()
    {
        Shell.OpenFile(_code, _service.FullName, _service.Namespace);
        EmitClient();
        _code.Line();
        EmitRouting();
        _code.Line();
        EmitPackets();
        if (_service.Namespace.Length > 0)
        {
            _code.Close();
        }
    }

    private void EmitClient()
    {
        string client = _service.Name + "Client";
        string sender = Space + (_service.Calls.Any(call => call.Kind == CallKind.Stream) ? "IStreamRequestSender" : "IRequestSender");
        string see = $"<see cref=\"{_service.Code}\"/>";
        _code.Line($"/// <summary>Calls {see} over a link, or over a pool, by one worker each: each method is a request, and throws what "
            + "requests throw.</summary>");
        Shell.Mark(_code);
        _code.Open($"{_service.Access} sealed class {client} : {_service.Code}");
        _code.Line($"private readonly {sender} sender;");
        _code.Line();
        _code.Line("/// <summary>Initializes a new instance of the client.</summary>");
        _code.Line("/// <param name=\"sender\">The link to the process that responds, or a pool of workers that do.</param>");
        _code.Line($"public {client}({sender} sender) =>");
        _code.Line("    this.sender = sender ?? throw new global::System.ArgumentNullException(nameof(sender));");
        _code.Line();
        _code.Line("/// <summary>Gets or sets how long each call may take; null, the default: no limit.</summary>");
        _code.Line("public global::System.TimeSpan? Timeout { get; set; }");
        _code.Line();
        _code.Line("/// <summary>Gets or sets the lane of the calls and their responses; Normal by default.</summary>");
        _code.Line($"public {Space}Lane Lane {{ get; set; }} = {Space}Lane.Normal;");
        for (int i = 0; i < _service.Calls.Count; i++)
        {
            _code.Line();
            EmitMethod(_service.Calls[i], i);
        }

        _code.Close();
    }

    private void EmitMethod(CallModel call, int i)
    {
        string parameters = List(call.Parameters.Concat(call.Token is null ? [] : [call.Token])
            .Select(p => $"{p.Type} {p.Name}{p.Default}"));
        string token = call.Token?.Name ?? "default";
        string made = $"new {Packets}.{Call(i)}({List(call.Parameters.Select(p => p.Name))})";
        string arguments = $"{Packets}.{Call(i)}Type, {Packets}.{Response(i)}Type, {made}, this.Timeout, this.Lane, {token}";
        string request = call.Kind == CallKind.Stream ? "RequestStreamAsync" : "RequestAsync";
        _code.Line("/// <inheritdoc/>");
        _code.Line($"public {call.Returns} {call.Name}({parameters}) =>");
        _code.Line($"    this.sender.{request}({arguments});");
    }

    private void EmitRouting()
    {
        string on = $"On{_service.Name}";
        string makes = $"global::System.Func<{Space}PacketContext, {_service.Code}>";
        string see = $"<see cref=\"{_service.Code}\"/>";
        _code.Line($"/// <summary>Gives the calls of {see} that come over a link to the object that answers them.</summary>");
        Shell.Mark(_code);
        _code.Open($"{_service.Access} static class {_service.Name}Routing");
        _code.Line($"/// <summary>Answers the calls of {see} by one object.</summary>");
        _code.Line("/// <param name=\"router\">The router.</param>");
        _code.Line("/// <param name=\"service\">Answers them, several at once. What it throws becomes the caller's failure.</param>");
        _code.Line("/// <returns>The router.</returns>");
        _code.Open($"public static {Space}PacketRouter {on}(this {Space}PacketRouter router, {_service.Code} service)");
        _code.Line("if (service is null)");
        _code.Line("    throw new global::System.ArgumentNullException(nameof(service));");
        _code.Line($"return {on}(router, _ => service);");
        _code.Close();
        _code.Line();
        _code.Line($"/// <summary>Answers each call of {see} by an object of its own choice.</summary>");
        _code.Line("/// <param name=\"router\">The router.</param>");
        _code.Line("/// <param name=\"service\">Gives the object for a call, by its link.</param>");
        _code.Line("/// <returns>The router.</returns>");
        _code.Open($"public static {Space}PacketRouter {on}(this {Space}PacketRouter router, {makes} service)");
        _code.Line("if (router is null)");
        _code.Line("    throw new global::System.ArgumentNullException(nameof(router));");
        _code.Line("if (service is null)");
        _code.Line("    throw new global::System.ArgumentNullException(nameof(service));");
        for (int i = 0; i < _service.Calls.Count; i++)
        {
            EmitRoute(_service.Calls[i], i);
        }

        _code.Line("return router;");
        _code.Close();
        _code.Close();
    }

    private void EmitRoute(CallModel call, int i)
    {
        IEnumerable<string> arguments = call.Parameters.Select(p => "call." + p.Field!.Code);
        string passed = List(call.Token is null ? arguments : arguments.Append("context.CancellationToken"));
        string called = $"service(context).{call.Name}({passed})";
        string types = $"{Packets}.{Call(i)}Type, {Packets}.{Response(i)}Type";
        string on = call.Kind == CallKind.Stream ? "OnRequestStream" : "OnRequest";
        string handler = call.Kind != CallKind.Nothing ? $"(call, context) => {called}"
            : $"async (call, context) => {{ await {called}.ConfigureAwait(false); return new {Packets}.{Response(i)}(); }}";
        _code.Line($"router.{on}({types}, {handler});");
    }

    private void EmitPackets()
    {
        _code.Line($"/// <summary>The packets of the calls of <see cref=\"{_service.Code}\"/> and of their responses.</summary>");
        Shell.Mark(_code);
        _code.Open($"internal static class {Packets}");
        for (int i = 0; i < _service.Calls.Count; i++)
        {
            CallModel call = _service.Calls[i];
            EmitType(call, $"{Call(i)}Type", Call(i), call.Title, $"{Call(i)}.PacketFormatter");
            string response = call.Title + " (response)";
            if (call.Result is { } result)
            {
                EmitType(call, $"{Response(i)}Type", result.Type.Name, response, $"Value{i}");
                EmitAdapter(i, result.Type.Name);
            }
            else
            {
                EmitType(call, $"{Response(i)}Type", Response(i), response, $"{Response(i)}.PacketFormatter");
            }

            EmitPacket(call, Call(i), call.Title, [.. call.Parameters.Select(p => p.Field!)]);
            EmitPacket(call, Response(i), response, call.Result is { } value ? [value] : []);
        }

        _code.Close();
    }

    private void EmitType(CallModel call, string name, string of, string title, string formatter)
    {
        string type = $"{Space}PacketType<{of}>";
        _code.Line($"public static readonly {type} {name} =");
        _code.Line($"    new {type}({call.Id}, {Shell.Quote(title)}, new {formatter}(), validatesBody: true);");
        _code.Line();
    }

    /// <summary>Writes the formatter of a value that travels alone in an array.</summary>
    private void EmitAdapter(int i, string of)
    {
        _code.Open($"public sealed class Value{i} : {Space}IPacketFormatter<{of}>");
        _code.Line($"private readonly {Response(i)}.PacketFormatter array = new {Response(i)}.PacketFormatter();");
        _code.Line();
        _code.Line($"public void Write(global::System.Buffers.IBufferWriter<byte> output, {of} packet) =>");
        _code.Line($"    this.array.Write(output, new {Response(i)}(packet));");
        _code.Line();
        _code.Line($"public {of} Read(in global::System.Buffers.ReadOnlySequence<byte> body) => this.array.Read(body).Value;");
        _code.Close();
        _code.Line();
    }

    private void EmitPacket(CallModel call, string name, string title, FieldModel[] fields)
    {
        _code.Open($"public readonly struct {name}");
        foreach (FieldModel field in fields)
        {
            _code.Line($"public readonly {field.Type.Name} {field.Code};");
        }

        if (fields.Length > 0)
        {
            _code.Open($"public {name}({List(fields.Select(f => $"{f.Type.Name} {f.Code}"))})");
            foreach (FieldModel field in fields)
            {
                _code.Line($"this.{field.Code} = {field.Code};");
            }

            _code.Close();
        }

        _code.Line();
        PacketEmitter.EmitFormatter(_code, new PacketModel(
            new ShellModel(string.Empty, default, "struct", name, name, title),
            IsValueType: true,
            new PacketHeader(call.Id, title, "Normal", Level: null, Tables: false, Requests: default),
            new EquatableArray<FieldModel>(fields),
            new EquatableArray<int>([.. Enumerable.Range(0, fields.Length)]),
            UsesForbidden: false));
        _code.Close();
        _code.Line();
    }
}
