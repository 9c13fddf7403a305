using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.MSBuild;
using Transport.Testing;

namespace Transport.Tool.Tests.Builds;

[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
internal sealed class OtlpTests : IDisposable
{
    private const string Parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static readonly TimeSpan Wait = TimeSpan.FromSeconds(2);

    private readonly TemporaryFolder _folder = new();
    private readonly HttpListener _receiver = new();
    private readonly List<JsonElement> _spans = [];
    private readonly Uri _address;

    public OtlpTests()
    {
        using (var free = new TcpListener(IPAddress.Loopback, 0))
        {
            free.Start();
            int port = ((IPEndPoint)free.LocalEndpoint).Port;
            _address = new Uri(string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{port}/v1/traces"));
        }

        _receiver.Prefixes.Add(_address.GetLeftPart(UriPartial.Authority) + "/");
    }

    public void Dispose()
    {
        _receiver.Close();
        _folder.Dispose();
    }

    [Test]
    public async Task Spans_arrive_with_their_names_times_and_parents()
    {
        Serve(_ => (200, "{}"));
        OtlpExport sender = new(_address, Wait);

        long delivered = await sender.SendAsync(new OtlpSpans(await Samples.ModelAsync(_folder.Path, Samples.Nested()), Parent));

        Assert.That((delivered, _spans.Count, sender.Fault), Is.EqualTo((5L, 5, (string?)null)));
        Dictionary<string, JsonElement> byName = _spans.ToDictionary(span => span.GetProperty("name").GetString()!);
        Assert.That(_spans.Select(span => span.GetProperty("traceId").GetString()).Distinct(), Is.EqualTo(new[] { Parent[3..35] }));
        Assert.That(ParentOf("build App.csproj"), Is.EqualTo(Parent[36..52]));
        Assert.That(ParentOf("App.csproj"), Is.EqualTo(IdOf("build App.csproj")));
        Assert.That(ParentOf("Core.csproj"), Is.EqualTo(IdOf("Lib.csproj")));
        Assert.That(ParentOf("CoreCompile"), Is.EqualTo(IdOf("App.csproj")));
        long start = (Samples.Zero - DateTime.UnixEpoch.Ticks) * 100;
        Assert.That(byName["Core.csproj"].GetProperty("startTimeUnixNano").GetString(),
            Is.EqualTo((start + 20_000_000).ToString(CultureInfo.InvariantCulture)));
        Assert.That(Attribute("Core.csproj", "cicd.pipeline.task.run.result"), Is.EqualTo("success"));
        Assert.That(Attribute("build App.csproj", "cicd.pipeline.name"), Is.EqualTo("App.csproj"));

        string ParentOf(string name) => byName[name].GetProperty("parentSpanId").GetString()!;
        string IdOf(string name) => byName[name].GetProperty("spanId").GetString()!;
        string Attribute(string name, string key) => byName[name].GetProperty("attributes").EnumerateArray()
            .Single(one => one.GetProperty("key").GetString() == key).GetProperty("value").GetProperty("stringValue").GetString()!;
    }

    [Test]
    public async Task A_receiver_that_is_busy_is_asked_again_and_every_span_arrives_once()
    {
        int requests = 0;
        Serve(_ => ++requests % 2 == 1 ? (503, string.Empty) : (200, "{}"));
        OtlpExport sender = new(_address, TimeSpan.FromSeconds(20));

        long delivered = await sender.SendAsync(new OtlpSpans(await Samples.ModelAsync(_folder.Path, Many(1000)), null));

        Assert.That(delivered, Is.EqualTo(1002));
        Assert.That(_spans.Select(span => span.GetProperty("spanId").GetString()).Distinct().Count(), Is.EqualTo(1002));
    }

    private const string RetryAfter = "Retry-After: ";

    [TestCase("http://user:s3cret@127.0.0.1:9/", 3)]
    [TestCase("ftp://user:s3cret@host/", 2)]
    [TestCase("user:s3cret@host", 2)]
    public async Task The_password_of_an_address_is_not_printed(string address, int exitCode)
    {
        string journal = Path.Combine(_folder.Path, "journal");
        await Samples.WriteJournalAsync(journal, Samples.Nested());
        ToolRun run = await ToolRun.Of("export", journal, "--otlp", address);
        Assert.That(run.ExitCode, Is.EqualTo(exitCode), string.Join('\n', run.Errors));
        Assert.That(run.Errors, Is.Not.Empty.And.None.Contains("s3cret"));
    }

    [TestCase("busy", "503")]
    [TestCase("patient", "503")]
    [TestCase("silent", "no answer within 2 s")]
    [TestCase("gone", "refused")]
    [TestCase("refusing", "400")]
    [TestCase("rejecting", "rejected some")]
    public async Task What_is_not_delivered_is_counted_within_the_time(string receiver, string fault)
    {
        if (receiver != "gone")
        {
            Serve(_ => receiver switch
            {
                "busy" => (503, string.Empty),
                "patient" => (503, RetryAfter + "5000000"),   // 57 days
                "silent" => (0, string.Empty),
                "refusing" => (400, string.Empty),
                _ => (200, """{"partialSuccess":{"rejectedSpans":"3","errorMessage":"no"}}"""),
            });
        }

        var clock = Stopwatch.StartNew();
        OtlpExport sender = new(_address, Wait);
        long delivered = await sender.SendAsync(new OtlpSpans(await Samples.ModelAsync(_folder.Path, Samples.Nested()), null));

        Assert.That(delivered, Is.EqualTo(receiver == "rejecting" ? 2 : 0));
        Assert.That(sender.Fault, Does.Contain(fault).IgnoreCase);
        Assert.That(clock.Elapsed, Is.LessThan(TimeSpan.FromSeconds(10)), "it ends by itself");
    }

    private static IEnumerable<BuildEvent> Many(int targets) =>
    [
        Samples.Project(1, 0, "/w/App.csproj"),
        .. Enumerable.Range(1, targets).SelectMany(target => new[]
        {
            Samples.Event(BuildEventKind.TargetStarted, target, project: 1, target: target, values: ("TargetName", "T")),
            Samples.Event(BuildEventKind.TargetFinished, target, project: 1, target: target, values: ("Succeeded", true)),
        }),
    ];

    /// <summary>Answers requests until the fixture ends; a status of 0 never.</summary>
    private void Serve(Func<int, (int Status, string Body)> answer)
    {
        _receiver.Start();
        _ = Task.Run(async () =>
        {
            for (int number = 0; _receiver.IsListening; number++)
            {
                HttpListenerContext context = await _receiver.GetContextAsync();
                (int status, string body) = answer(number);
                using var json = await JsonDocument.ParseAsync(context.Request.InputStream);
                if (status == 200)
                {
                    _spans.AddRange(json.RootElement.GetProperty("resourceSpans")[0].GetProperty("scopeSpans")[0].GetProperty("spans")
                        .EnumerateArray().Select(span => span.Clone()));
                }

                if (status != 0)
                {
                    context.Response.StatusCode = status;
                    if (body.StartsWith(RetryAfter, StringComparison.Ordinal))
                    {
                        context.Response.AddHeader("Retry-After", body[RetryAfter.Length..]);
                    }

                    await using (var writer = new StreamWriter(context.Response.OutputStream))
                    {
                        await writer.WriteAsync(body);
                    }

                    context.Response.Close();
                }
            }
        });
    }
}
