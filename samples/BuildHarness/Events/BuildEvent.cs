using System;

namespace BuildHarness.Events;

/// <summary>One build event with every field of it, free of MSBuild's types: what travels, what is hashed, what is shown.</summary>
internal sealed class BuildEvent
{
    public required EventKind Kind { get; init; }

    /// <summary>Gets the full name of the event's .NET type if it is not the one that <see cref="Kind"/> stands for.</summary>
    public string? TypeName { get; init; }

    /// <summary>Gets the time in ticks of 100 ns, as the event had it.</summary>
    public long Ticks { get; init; }

    public DateTimeKind TimeKind { get; init; }

    public int ThreadId { get; init; }

    public string? Sender { get; init; }

    public string? Message { get; init; }

    public string? HelpKeyword { get; init; }

    public EventContext? Context { get; init; }

    /// <summary>Gets the kind's own fields, in the order of its <see cref="EventShape"/>; each is a value of
    /// <see cref="EventValue"/>.</summary>
    public required object?[] Fields { get; init; }

    public string? Text(string field) => this[field] as string;

    public int Number(string field) => this[field] is long number ? (int)number : 0;

    public bool Flag(string field) => this[field] is true;

    public EventMap? Map(string field) => this[field] as EventMap;

    public object?[] List(string field) => this[field] as object?[] ?? [];

    private object? this[string field]
    {
        get
        {
            int at = EventShapes.Of(Kind).IndexOf(field);
            return at < 0 ? null : Fields[at];
        }
    }
}
