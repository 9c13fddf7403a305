using System;
using System.Globalization;
using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>Takes all there is out of MSBuild's event while it is being raised: later its lazy texts may have changed. Safe from any
/// thread.</summary>
/// <remarks>Names MSBuild's types: the program must have found the SDK's assemblies before a method with this class in it is
/// compiled.</remarks>
public sealed class BuildEventReader
{
    private readonly EventExtras _extras = new();
    private readonly EventItems _items = new();
    private readonly PlainMessage _plain = new();

    /// <summary>Gets or sets a value indicating whether a message stays in parts, its format and its arguments as texts, until somebody
    /// reads <see cref="BuildEvent.Message"/>, here or at the other end of a link (default false).</summary>
    /// <remarks>Most messages are never read, and their format comes again and again: nothing is put together for them, and they take
    /// fewer bytes on a link with tables. Code that looks into every message gains nothing by it.</remarks>
    public bool KeepsParts { get; init; }

    /// <summary>Returns the least verbosity that shows an event, without reading it.</summary>
    /// <param name="args">MSBuild's event.</param>
    /// <exception cref="ArgumentNullException"><paramref name="args"/> is null.</exception>
    public static BuildVerbosity LevelOf(BuildEventArgs args)
    {
        if (args is null)
        {
            throw new ArgumentNullException(nameof(args));
        }

        BuildVerbosity level = BuildEventText.LevelOf(EventShapes.Of(args.GetType()).Kind);
        return level == BuildVerbosity.Normal && args is BuildMessageEventArgs message
            ? BuildEventText.LevelOf((int)message.Importance) : level;
    }

    /// <summary>Reads an event.</summary>
    /// <param name="args">MSBuild's event.</param>
    /// <param name="isRecorded">Whether it comes from a binary log (default false). That keeps no thread, and what MSBuild shows then is
    /// the thread that reads the file, which is no value of the event.</param>
    /// <returns>The event.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="args"/> is null.</exception>
    public BuildEvent Read(BuildEventArgs args, bool isRecorded = false)
    {
        if (args is null)
        {
            throw new ArgumentNullException(nameof(args));
        }

        EventShape shape = EventShapes.Of(args.GetType());
        bool exact = shape.Type == args.GetType();

        DateTime time = RawMessage.TimeOf(args);
        BuildMessageEventArgs? message = exact && shape.Kind == BuildEventKind.Message ? (BuildMessageEventArgs)args : null;
        LazyMessage? lazy = KeepsParts && message is not null ? RawMessage.Of(message) : null;
        return new BuildEvent
        {
            Kind = shape.Kind,
            TypeName = exact ? null : args.GetType().FullName,
            Ticks = time.Ticks,
            TimeKind = time.Kind,
            ThreadId = isRecorded ? 0 : args.ThreadId,
            Sender = args.SenderName,

            // Of a task's parameters MSBuild makes a text that repeats all items: as large as they are, and BuildEventText makes it anew.
            Message = shape.Kind == BuildEventKind.TaskParameter || lazy is not null ? null : RawMessage.TextOf(args),
            Lazy = lazy,
            HelpKeyword = args.HelpKeyword,
            Context = args.BuildEventContext is { } context ? EventIds.Of(context) : null,
            Fields = message is not null && _plain.FieldsOf(message) is { } plain ? plain
                : !exact ? (object?[])[.. shape.Read(args, _items), .. _extras.Read(args, shape)]
                : shape.Kind == BuildEventKind.BuildStarted && !isRecorded ? [.. shape.Read(args, _items), Language()]
                : shape.Read(args, _items),
        };
    }

    /// <summary>The language of the build's messages, without which their reader must guess; in a binary log it is a message of its
    /// own.</summary>
    private static object?[] Language() => [BuildEvent.Language, CultureInfo.CurrentUICulture.Name];
}
