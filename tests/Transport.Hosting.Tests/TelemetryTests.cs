using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;
using Transport.Hosting.Helper;
using Transport.Testing;

namespace Transport.Hosting.Tests;

/// <summary>Traces through OpenTelemetry's own SDK and exporter, as a collector gets them.</summary>
[NonParallelizable]
internal sealed class TelemetryTests
{
    private const string Python = "/usr/bin/python3";
    private const string Trace = "0af7651916cd43dd8448eb211c80319c", PythonSpan = "b7ad6b7169203331";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_trace_goes_from_a_Python_worker_to_the_main_node_and_a_worker_that_it_asks(bool isMainListening)
    {
        RequirePython();
        using var collector = new OtlpCollector();
        using TracerProvider? tracing = isMainListening ? Listen(collector.Endpoint) : null;
        await using MainHost main = await MainHost.StartAsync();
        var start = new WorkerStartOptions(MainHost.HelperPath, "stay");
        start.Environment["HELPER_COLLECTOR"] = collector.Endpoint.ToString();
        start.Environment["OTEL_SERVICE_NAME"] = "worker";
        Link asked = await main.Main.StartWorker(start).WaitForLinkAsync().WaitAsync(Patience);
        string script = Path.Combine(Repository.Root, "tests", "clients", "trace.py");
        var program = new WorkerStartOptions(Python, script, $"00-{Trace}-{PythonSpan}-01") { Node = "python" };
        program.Router.OnRequest<SumOf, Sum>((request, context) =>
            asked.RequestAsync(new Add(request.Left, request.Right), cancellationToken: context.CancellationToken));
        WorkerProcess python = main.Main.StartWorker(program);
        WorkerExit exit = await python.WaitForExitAsync().WaitAsync(Patience);
        RequireMsgpack(exit);
        Assert.That((exit.IsClean, exit.AllPacketsHandled), Is.EqualTo((true, true)), exit.Report);
        Assert.That(main.Log.Entries.Select(entry => entry.Message), Has.Some.EqualTo("python: answer [42]"));

        Assert.That(
            () => collector.Serving.IsCompleted ? -1 : collector.Spans.Count,
            Is.EqualTo(isMainListening ? 3 : 1).After(30_000, 10),
            () => $"{collector.Serving.Exception}");
        IReadOnlyList<ExportedSpan> spans = collector.Spans;
        Assert.That(spans.Select(span => span.TraceId), Is.All.EqualTo(Trace));
        ExportedSpan last = spans.Single(span => span.Service == "worker");
        Assert.That((last.Name, last.Kind), Is.EqualTo(("Add", 2)));
        if (!isMainListening)
        {
            Assert.That(last.ParentId, Is.EqualTo(PythonSpan), "no gap where the main node records nothing");
            return;
        }

        ExportedSpan answering = spans.Single(span => span is { Service: "main", Kind: 2 });
        ExportedSpan asking = spans.Single(span => span is { Service: "main", Kind: 3 });
        using (Assert.EnterMultipleScope())
        {
            Assert.That((answering.Name, answering.ParentId), Is.EqualTo(("SumOf", PythonSpan)));
            Assert.That((asking.Name, asking.ParentId), Is.EqualTo(("Add", answering.SpanId)));
            Assert.That(last.ParentId, Is.EqualTo(asking.SpanId));
        }
    }

    private static TracerProvider Listen(Uri endpoint) => Sdk.CreateTracerProviderBuilder()
        .AddSource("Transport")
        .SetResourceBuilder(ResourceBuilder.CreateEmpty().AddService("main"))
        .AddOtlpExporter(options =>
        {
            options.Endpoint = endpoint;
            options.Protocol = OtlpExportProtocol.HttpProtobuf;
            options.ExportProcessorType = ExportProcessorType.Simple;
        })
        .Build();

    private static void RequirePython()
    {
        if (!File.Exists(Python))
        {
            Missing();
        }
    }

    private static void RequireMsgpack(WorkerExit exit)
    {
        if (exit.LastErrorLines.Any(line => line.Contains("No module named 'msgpack'", StringComparison.Ordinal)))
        {
            Missing();
        }
    }

    private static void Missing()
    {
        const string Needed = "python3-msgpack (Debian: apt-get install python3-msgpack)";
        Assert.That(Environment.GetEnvironmentVariable("CI"), Is.Not.EqualTo("true"), "CI needs " + Needed);
        Assert.Ignore("Needs " + Needed);
    }
}
