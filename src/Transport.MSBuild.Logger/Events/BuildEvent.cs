using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;

namespace Transport.MSBuild;

/// <summary>One build event with every field of it, free of MSBuild's types: what travels, what is hashed, what is shown. Immutable, if
/// nobody writes to the list it was made with.</summary>
/// <remarks>As a packet it is <see cref="PacketType"/>; docs/reference/build-events.md has its wire form and each kind's
/// fields.</remarks>
public sealed class BuildEvent : IPacket<BuildEvent>
{
    /// <summary>Gets type 512, written by hand because its fields depend on its kind. It travels on the normal lane, with its texts and
    /// maps in the link's tables.</summary>
    public static PacketType<BuildEvent> PacketType { get; } =
        new(512, "BuildEvent", new BuildEventFormatter(), usesTables: true, validatesBody: true);

    PacketType<BuildEvent> IPacket<BuildEvent>.PacketType => PacketType;

    /// <summary>The further field of BuildStarted that names the language of the build's messages, as MSBuild's binary logs name
    /// it.</summary>
    internal const string Language = "CurrentUICulture";

    private string? _message;

    /// <summary>Initializes a new instance of the <see cref="BuildEvent"/> class: set at least what is required.</summary>
    public BuildEvent()
    {
    }

    /// <summary>Copies an event; an initializer changes what differs.</summary>
    [SetsRequiredMembers]
    internal BuildEvent(BuildEvent other)
    {
        Kind = other.Kind;
        TypeName = other.TypeName;
        Ticks = other.Ticks;
        TimeKind = other.TimeKind;
        ThreadId = other.ThreadId;
        Sender = other.Sender;
        (_message, Lazy) = (other._message, other.Lazy);
        HelpKeyword = other.HelpKeyword;
        Context = other.Context;
        Fields = other.Values;
    }

    /// <summary>Gets the kind of event.</summary>
    public required BuildEventKind Kind { get; init; }

    /// <summary>Gets the full name of the event's .NET type; null (default) if it is the one that <see cref="Kind"/> stands for.</summary>
    public string? TypeName { get; init; }

    /// <summary>Gets the time of the event in ticks of 100 ns since 0001-01-01, in the zone of <see cref="TimeKind"/>.</summary>
    public long Ticks { get; init; }

    /// <summary>Gets which zone <see cref="Ticks"/> is in; what <see cref="BuildEventReader"/> reads is UTC.</summary>
    public DateTimeKind TimeKind { get; init; }

    /// <summary>Gets the managed thread that raised the event; 0 (default) if that is not known, as in a binary log.</summary>
    public int ThreadId { get; init; }

    /// <summary>Gets the event's sender, mostly a task's name; null (default) if none is named.</summary>
    public string? Sender { get; init; }

    /// <summary>Gets the formatted message; null (default) if there is none, as of <see cref="BuildEventKind.TaskParameter"/>, whose fields
    /// say it all.</summary>
    public string? Message
    {
        get => _message ??= Lazy?.ToString();
        init => (_message, Lazy) = (value, null);
    }

    /// <summary>Gets MSBuild's help keyword; null (default) if there is none.</summary>
    public string? HelpKeyword { get; init; }

    /// <summary>Gets where in the build the event belongs; null (default) if it belongs to no part of it.</summary>
    public BuildEventIds? Context { get; init; }

    /// <summary>Gets the kind's own fields in the order of <see cref="FieldNames"/>, and behind them what an event type without a kind of
    /// its own has besides, each as a list of name and value.</summary>
    /// <value>Each is null, a <see cref="bool"/>, <see cref="long"/>, <see cref="double"/>, <see cref="string"/>, byte array,
    /// <see cref="BuildEventMap"/>, or an array (object?[]) of these.</value>
    public required IReadOnlyList<object?> Fields
    {
        get => Values;
        init => Values = value as object?[] ?? [.. value];
    }

    internal object?[] Values { get; private init; } = [];

    /// <summary>Gets the message in parts; null if it is whole.</summary>
    internal LazyMessage? Lazy { get; init; }

    /// <summary>Returns the names of the fields of a kind, as MSBuild names them, in the order of <see cref="Fields"/>.</summary>
    /// <param name="kind">The kind.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no such kind.</exception>
    public static IReadOnlyList<string> FieldNames(BuildEventKind kind) => EventFields.Of(kind).Names;

    /// <summary>Returns a field that is a text.</summary>
    /// <param name="field">Its name.</param>
    /// <returns>The text; null if the field has none, is no text, or the kind has no such field.</returns>
    public string? Text(string field) => this[field] as string;

    /// <summary>Returns a field that is a number or an enumeration.</summary>
    /// <param name="field">Its name.</param>
    /// <returns>The number; 0 if the field is none, or the kind has no such field.</returns>
    public int Number(string field) => this[field] is long number ? (int)number : 0;

    /// <summary>Returns a field that is true or false.</summary>
    /// <param name="field">Its name.</param>
    /// <returns>Its value; false if it is neither, or the kind has no such field.</returns>
    public bool Flag(string field) => this[field] is true;

    /// <summary>Returns a field of names and texts: properties, metadata, environment.</summary>
    /// <param name="field">Its name.</param>
    /// <returns>The map; null if the field has none, or the kind has no such field.</returns>
    public BuildEventMap? Map(string field) => this[field] as BuildEventMap;

    /// <summary>Returns a field that is a list: of texts, or of items, each a list of type (null if the whole list has one), spec and
    /// metadata.</summary>
    /// <param name="field">Its name.</param>
    /// <returns>The list; empty if the field has none, or the kind has no such field.</returns>
    public IReadOnlyList<object?> List(string field) => this[field] as object?[] ?? [];

    /// <summary>Returns the event as a person reads it: <see cref="BuildEventText.Of(BuildEvent, string)"/>.</summary>
    public override string ToString() => BuildEventText.Of(this);

    /// <summary>Returns the same event with other ids.</summary>
    /// <param name="context">The ids.</param>
    public BuildEvent WithContext(BuildEventIds context) => new(this) { Context = context };

    /// <summary>The list, or null if the field has none.</summary>
    internal object?[]? ListOrNull(string field) => this[field] as object?[];

    internal Guid Id(string field) => this[field] is byte[] { Length: 16 } bytes ? new Guid(bytes) : default;

    /// <summary>The field's place among those of the kind; -1 if it has none of that name.</summary>
    internal int IndexOf(string field) => EventFields.Of(Kind).IndexOf(field);

    /// <summary>A further field that is a text; null if there is none of that name.</summary>
    internal string? FurtherText(string name)
    {
        for (int i = EventFields.Of(Kind).Names.Count; i < Values.Length; i++)
        {
            if (Values[i] is object?[] { Length: 2 } field && field[0] is string given && given == name)
            {
                return field[1] as string;
            }
        }

        return null;
    }

    private object? this[string field]
    {
        get
        {
            int at = IndexOf(field);
            return at < 0 ? null : Values[at];
        }
    }
}
