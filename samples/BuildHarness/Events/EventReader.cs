using System;
using Microsoft.Build.Framework;

namespace BuildHarness.Events;

/// <summary>Takes all there is out of MSBuild's event while it is being raised: later its lazy texts may have changed. Any
/// thread.</summary>
internal sealed class EventReader
{
    private readonly EventExtras _extras = new();

    /// <summary>Reads an event.</summary>
    /// <param name="args">MSBuild's event.</param>
    /// <param name="recorded">It comes from a binary log: that keeps no thread, so MSBuild shows the one that reads the file, which is no
    /// value of the event.</param>
    public BuildEvent Read(BuildEventArgs args, bool recorded = false)
    {
        EventShape shape = EventShapes.Of(args.GetType());
        bool exact = shape.Type == args.GetType();

        // MSBuild keeps UTC and shows local time; back to UTC, which is the same at the other end and at the end of summer.
        DateTime time = args.Timestamp.Kind == DateTimeKind.Local ? args.Timestamp.ToUniversalTime() : args.Timestamp;
        return new BuildEvent
        {
            Kind = shape.Kind,
            TypeName = exact ? null : args.GetType().FullName,
            Ticks = time.Ticks,
            TimeKind = time.Kind,
            ThreadId = recorded ? 0 : args.ThreadId,
            Sender = args.SenderName,

            // Of a task's parameters MSBuild makes a text that repeats all items: as large as they are, and EventText makes it anew.
            Message = shape.Kind == EventKind.TaskParameter ? null : args.Message,
            HelpKeyword = args.HelpKeyword,
            Context = args.BuildEventContext is { } context ? EventContext.Of(context) : null,
            Fields = exact ? shape.Read(args) : [.. shape.Read(args), .. _extras.Read(args, shape)],
        };
    }
}
