using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading.Tasks;

namespace Transport.Hosting.Tests;

/// <summary>A span as a collector gets it.</summary>
/// <param name="Service">The exporting process's <c>service.name</c>.</param>
/// <param name="Name">Its name.</param>
/// <param name="Kind">2 server, 3 client.</param>
/// <param name="TraceId">The trace, in hex.</param>
/// <param name="SpanId">The span, in hex.</param>
/// <param name="ParentId">Its parent, in hex; empty: none.</param>
internal sealed record ExportedSpan(string Service, string Name, int Kind, string TraceId, string SpanId, string ParentId);

/// <summary>A collector on loopback that takes traces as OTLP over HTTP, and reads what the test needs of the protobuf messages
/// (opentelemetry/proto/trace/v1/trace.proto).</summary>
internal sealed class OtlpCollector : IDisposable
{
    private readonly HttpListener _listener = new();
    private readonly List<ExportedSpan> _spans = [];

    public OtlpCollector()
    {
        using (var free = new TcpListener(IPAddress.Loopback, 0))
        {
            free.Start();
            Endpoint = new Uri($"http://127.0.0.1:{((IPEndPoint)free.LocalEndpoint).Port}/v1/traces");
        }

        _listener.Prefixes.Add(Endpoint.GetLeftPart(UriPartial.Authority) + "/");
        _listener.Start();
        Serving = Task.Run(ServeAsync);
    }

    public Uri Endpoint { get; }

    /// <summary>Gets a task that completes when this is disposed, and fails if a request could not be read.</summary>
    public Task Serving { get; }

    public IReadOnlyList<ExportedSpan> Spans
    {
        get
        {
            lock (_spans)
            {
                return [.. _spans];
            }
        }
    }

    public void Dispose() => _listener.Close();

    private static IEnumerable<ExportedSpan> SpansOf(byte[] request)
    {
        foreach (byte[] resourceSpans in Messages(request, 1))
        {
            string service = Messages(resourceSpans, 1).SelectMany(resource => Messages(resource, 1))
                .Where(attribute => Text(attribute, 1) == "service.name")
                .Select(attribute => Text(Messages(attribute, 2).Single(), 1)).FirstOrDefault(string.Empty);
            foreach (byte[] span in Messages(resourceSpans, 2).SelectMany(scopeSpans => Messages(scopeSpans, 2)))
            {
                int kind = (int)Fields(span).First(field => field.Number == 6).Value;
                yield return new ExportedSpan(service, Text(span, 5), kind, Hex(span, 1), Hex(span, 2), Hex(span, 4));
            }
        }
    }

    private static string Text(byte[] message, int field) => Encoding.UTF8.GetString(Messages(message, field).First());

    private static string Hex(byte[] message, int field) =>
        Messages(message, field).Select(Convert.ToHexStringLower).FirstOrDefault(string.Empty);

    private static IEnumerable<byte[]> Messages(byte[] message, int field) =>
        Fields(message).Where(one => one.Number == field && one.Bytes is not null).Select(one => one.Bytes!);

    /// <summary>Reads a message's fields: numbers as they are, what has a length as bytes.</summary>
    private static IEnumerable<(int Number, ulong Value, byte[]? Bytes)> Fields(byte[] message)
    {
        int at = 0;
        while (at < message.Length)
        {
            ulong key = VarInt(message, ref at);
            switch (key & 7)
            {
                case 0:
                    yield return ((int)(key >> 3), VarInt(message, ref at), null);
                    break;
                case 1:
                    at += 8;
                    break;
                case 2:
                    int length = (int)VarInt(message, ref at);
                    yield return ((int)(key >> 3), 0, message.AsSpan(at, length).ToArray());
                    at += length;
                    break;
                case 5:
                    at += 4;
                    break;
                default:
                    throw new InvalidDataException($"Wire type {key & 7} at byte {at}.");
            }
        }
    }

    private static ulong VarInt(byte[] message, ref int at)
    {
        ulong value = 0;
        for (int shift = 0; ; shift += 7)
        {
            byte part = message[at++];
            value |= (ulong)(part & 0x7f) << shift;
            if (part < 0x80)
            {
                return value;
            }
        }
    }

    private async Task ServeAsync()
    {
        while (_listener.IsListening)
        {
            HttpListenerContext context;
            try
            {
                context = await _listener.GetContextAsync().ConfigureAwait(false);
            }
            catch (Exception e) when (e is HttpListenerException or ObjectDisposedException)
            {
                return;   // closed
            }

            using var body = new MemoryStream();
            await context.Request.InputStream.CopyToAsync(body).ConfigureAwait(false);
            lock (_spans)
            {
                _spans.AddRange(SpansOf(body.ToArray()));
            }

            context.Response.ContentType = "application/x-protobuf";
            context.Response.Close();
        }
    }
}
