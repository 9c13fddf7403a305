using System;
using System.Globalization;
using System.Reflection;
using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>What MSBuild's events hold but show in another form only: the message's format with its arguments, and the time as it was
/// taken. An MSBuild that holds them under other names is read by what it shows. Safe from any thread.</summary>
internal static class RawMessage
{
    private static readonly Func<BuildEventArgs, string?>? Format = Getter<BuildEventArgs, string?>("RawMessage");

    private static readonly Func<LazyFormattedBuildEventArgs, object?[]?>? Arguments =
        Getter<LazyFormattedBuildEventArgs, object?[]?>("RawArguments");

    private static readonly Func<BuildEventArgs, DateTime>? Time = Getter<BuildEventArgs, DateTime>("RawTimestamp");

    /// <summary>The time of an event, in UTC if MSBuild has it so: what it shows is local, which costs twice and is not the same at the end
    /// of summer.</summary>
    public static DateTime TimeOf(BuildEventArgs args)
    {
        DateTime time = Time?.Invoke(args) ?? args.Timestamp;
        return time.Kind == DateTimeKind.Local ? time.ToUniversalTime() : time;
    }

    /// <summary>A message that its event has not put together, with its arguments as the texts that they are now.</summary>
    /// <returns>The message; null if it has no arguments, or has to be put together by <see cref="TextOf(BuildEventArgs)"/>: a format with
    /// more than places, too long.</returns>
    public static LazyMessage? Of(LazyFormattedBuildEventArgs args)
    {
        if (Format is null || Arguments?.Invoke(args) is not { Length: > 0 and <= LazyMessage.MostArguments } arguments
            || Format(args) is not { } format)
        {
            return null;
        }

        var texts = new string?[arguments.Length];
        try
        {
            for (int i = 0; i < texts.Length; i++)
            {
                texts[i] = TextOf(arguments[i]);
            }
        }
#pragma warning disable CA1031 // whatever an argument's own class does
        catch (Exception)
#pragma warning restore CA1031
        {
            return null;
        }

        return LazyMessage.LengthOf(format, texts) < 0 ? null : new LazyMessage(format, texts);
    }

    /// <summary>The text of a message. One that cannot be put together, because an argument throws, is its format, and says
    /// so.</summary>
    public static string? TextOf(BuildEventArgs args)
    {
        try
        {
            return args.Message;
        }
#pragma warning disable CA1031 // whatever an argument's own class does
        catch (Exception e)
#pragma warning restore CA1031
        {
            return $"{Format?.Invoke(args)} ({e.GetType().Name}: the message cannot be formatted)";
        }
    }

    /// <summary>As string.Format does where a place has no format of its own.</summary>
    private static string? TextOf(object? argument) => argument switch
    {
        string text => text,
        null => null,
        IFormattable one => one.ToString(null, CultureInfo.CurrentCulture),
        { } other => other.ToString(),
    };

    private static Func<TArgs, TValue>? Getter<TArgs, TValue>(string name) =>
        typeof(TArgs).GetProperty(name, BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)?.GetMethod is { } getter
            && getter.ReturnType == typeof(TValue) ? (Func<TArgs, TValue>)getter.CreateDelegate(typeof(Func<TArgs, TValue>)) : null;
}
