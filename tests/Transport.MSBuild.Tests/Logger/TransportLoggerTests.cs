using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Threading.Tasks;
using Microsoft.Build.Framework;
using NUnit.Framework;

namespace Transport.MSBuild.Tests.Logger;

internal sealed class TransportLoggerTests
{
    /// <summary>MSBuild ends the build if a logger throws (dotnet/msbuild 6564).</summary>
    [Test]
    public async Task An_event_that_cannot_be_read_costs_itself_alone_and_the_report_says_why()
    {
        var messages = new List<string?>();
        await using BuildCollector collector = BuildCollector.Start(_ => new PacketRouter().On<BuildEvent>(one =>
        {
            lock (messages)
            {
                messages.Add(one.Message);
            }
        }));
        var logger = new TransportLogger { Parameters = $"connect={collector.ConnectionFile};required=true" };
        var source = DispatchProxy.Create<IEventSource4, EventSourceProxy>();
        logger.Initialize(source);
        var raise = (AnyEventHandler)((EventSourceProxy)(object)source).AnyEventRaised!;

        raise(this, new BuildMessageEventArgs("before", null, "test", MessageImportance.High));
        Assert.DoesNotThrow(() => raise(this,
            new TaskParameterEventArgs(TaskParameterMessageKind.TaskInput, "Fruit", new UnreadableList(), true, DateTime.UnixEpoch)));
        raise(this, new BuildMessageEventArgs("after", null, "test", MessageImportance.High));
        LoggerException? lost = Assert.Throws<LoggerException>(logger.Shutdown);
        CollectedBuild end = (await collector.CloseAsync()).Single();

        Assert.That((lost!.ErrorCode, end.End.IsClean), Is.EqualTo((TransportLogger.EventsLostCode, true)));
        Assert.That(lost.Message, Does.Contain("1 of 3 build events did not reach the collector (an event of type TaskParameterEventArgs "
            + "cannot be read: NotSupportedException: of its own making)"));
        Assert.That(messages, Is.EqualTo(new[] { "before", "after" }));
    }
}

internal sealed class UnreadableList : ArrayList
{
    public override IEnumerator GetEnumerator() => throw new NotSupportedException("of its own making");
}
