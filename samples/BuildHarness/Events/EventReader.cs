using System;
using Microsoft.Build.Framework;

namespace BuildHarness.Events;

/// <summary>Takes all there is out of MSBuild's event while it is being raised: later its lazy texts may have changed. Any thread.</summary>
internal sealed class EventReader
{
    private readonly EventExtras _extras = new();

    public BuildEvent Read(BuildEventArgs args)
    {
        EventShape shape = EventShapes.Of(args.GetType());
        bool exact = shape.Type == args.GetType();
        DateTime time = args.Timestamp;
        return new BuildEvent
        {
            Kind = shape.Kind,
            TypeName = exact ? null : args.GetType().FullName,
            Ticks = time.Ticks,
            TimeKind = time.Kind,
            ThreadId = args.ThreadId,
            Sender = args.SenderName,
            Message = args.Message,
            HelpKeyword = args.HelpKeyword,
            Context = args.BuildEventContext is { } context ? EventContext.Of(context) : null,
            Fields = exact ? shape.Read(args) : [.. shape.Read(args), .. _extras.Read(args, shape)],
        };
    }
}
