using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.Extensions.Logging;
using NUnit.Framework;
using Transport.Logging;

namespace Transport.Tests.Logging;

/// <summary>Whatever fails while an event is made or sent, the program that logs goes on.</summary>
internal sealed class LoggerFailureTests
{
    [Test]
    public void A_logger_never_throws_into_the_program_that_logs_and_counts_what_it_lost()
    {
        using var provider = new TransportLoggerProvider(Failing(), options: null);
        ILogger logger = provider.CreateLogger("Category");
        Assert.DoesNotThrow(() => logger.LogError("the link fails"));
        Assert.That((provider.Dropped, provider.DroppedOf(LogLevel.Error)), Is.EqualTo((1L, 1L)));
    }

    [Test]
    public void Texts_that_cannot_be_made_do_not_reach_the_program_that_logs()
    {
        using var provider = new TransportLoggerProvider(Failing(), options: null);
        ILogger logger = provider.CreateLogger("Category");
        KeyValuePair<string, object?>[] state = [new("bad", new Bad())];
        using (logger.BeginScope(new Bad()))
        {
            Assert.DoesNotThrow(() =>
                logger.Log(LogLevel.Information, default, state, new BadException(), (_, _) => throw new FormatException("x")));
            Assert.DoesNotThrow(() => logger.Log(LogLevel.Information, default, new Bad(), new BadException(), (s, _) => s.ToString()!));
        }

        Assert.That(provider.DroppedOf(LogLevel.Information), Is.EqualTo(2));
    }

    [Test]
    public void A_log_call_with_too_few_arguments_keeps_those_there_are_and_the_template()
    {
        var sink = new FakeSink();
        using var provider = new TransportLoggerProvider(sink, options: null);
#pragma warning disable CA2017 // too few on purpose
        provider.CreateLogger("Category").LogInformation("few {A} {B}", "only");
#pragma warning restore CA2017
        Assert.That(sink.Only.Message, Does.StartWith("few {A} {B} (could not be formatted: "));
        Assert.That(Properties(sink), Does.Contain("A=only").And.Contain("{OriginalFormat}=few {A} {B}"));
    }

    [Test]
    public void Two_equal_names_in_one_template_both_travel()
    {
        var sink = new FakeSink();
        using var provider = new TransportLoggerProvider(sink, options: null);
#pragma warning disable CA2017 // twice on purpose
        provider.CreateLogger("Category").LogInformation("{File} depends on {File}", "a.cs", "b.cs");
#pragma warning restore CA2017
        Assert.That(sink.Only.Message, Is.EqualTo("a.cs depends on b.cs"));
        Assert.That(Properties(sink), Does.Contain("File=a.cs").And.Contain("File_2=b.cs"));
    }

    private static string[] Properties(FakeSink sink) =>
        [.. sink.Only.Properties.Select(property => $"{property.Name}={property.Value.Text}")];

    private static FakeSink Failing() => new()
    {
        Thrown = new InvalidOperationException("A packet formatter must not call the link that it writes for."),
    };

    private sealed class Bad
    {
        public override string ToString() => throw new NotSupportedException("no text");
    }

    private sealed class BadException : Exception
    {
        public override string Message => throw new NotSupportedException("no message");

        public override string ToString() => throw new NotSupportedException("no text");
    }
}
