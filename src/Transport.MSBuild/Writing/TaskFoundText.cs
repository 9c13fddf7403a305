using System;
using System.Globalization;
using System.Linq;
using System.Resources;
using Microsoft.Build.Evaluation;
using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>MSBuild's message that a task was found in an assembly. A binary log has it as a template and two values, and readers take the
/// task's assembly from these; an event of ours is the finished text, from which they are taken again. One thread.</summary>
internal sealed class TaskFoundText
{
    // MSBuild's resources: Using "{0}" task from assembly "{1}". And: … from the task factory "{1}".
    private static readonly string[] Names = ["TaskFoundFromFactory", "TaskFound"];

    private readonly ResourceManager _texts = new("Microsoft.Build.Strings", typeof(ProjectCollection).Assembly);
    private Template[] _templates;

    /// <summary>Initializes a new instance of the <see cref="TaskFoundText"/> class, for a build in this process's language.</summary>
    public TaskFoundText() => _templates = Read(CultureInfo.CurrentUICulture);

    /// <summary>Says the language of the build that follows.</summary>
    /// <param name="language">Its name; one that this machine does not know changes nothing.</param>
    public void Speak(string language)
    {
        try
        {
            _templates = Read(CultureInfo.GetCultureInfo(language));
        }
        catch (CultureNotFoundException)
        {
            // The message stays a plain one.
        }
    }

    /// <returns>The message with its template; null if the event is no such message.</returns>
    public BuildMessageEventArgs? Of(BuildEvent one)
    {
        if (one.Kind != BuildEventKind.Message || one.Message is not { } text || one.TypeName is not null
            || one.Context is not { Target: >= 0 } || (MessageImportance)one.Number("Importance") != MessageImportance.Low)
        {
            return null;
        }

        foreach (Template template in _templates)
        {
            if (template.Values(text) is { } values)
            {
                return new BuildMessageEventArgs(
                    template.Text, null, null, MessageImportance.Low, new DateTime(one.Ticks, one.TimeKind), values);
            }
        }

        return null;
    }

    private Template[] Read(CultureInfo language)
    {
        try
        {
            return [.. Names.Select(name => Template.Of(_texts.GetString(name, language))).OfType<Template>()];
        }
        catch (MissingManifestResourceException)
        {
            return [];   // an MSBuild that keeps its texts elsewhere
        }
    }

    /// <summary>A text with the places of two values in it.</summary>
    private sealed record Template(string Text, string Before, string Between, string After)
    {
        private const string First = "{0}", Second = "{1}";

        public static Template? Of(string? text)
        {
            int first = text?.IndexOf(First, StringComparison.Ordinal) ?? -1;
            int second = text?.IndexOf(Second, StringComparison.Ordinal) ?? -1;
            return first < 0 || second < first ? null
                : new Template(text!, text![..first], text[(first + First.Length)..second], text[(second + Second.Length)..]);
        }

        public object[]? Values(string text)
        {
            if (!text.StartsWith(Before, StringComparison.Ordinal) || !text.EndsWith(After, StringComparison.Ordinal))
            {
                return null;
            }

            int between = text.IndexOf(Between, Before.Length, StringComparison.Ordinal);
            int rest = between + Between.Length;
            return between < 0 || rest > text.Length - After.Length ? null : [text[Before.Length..between], text[rest..^After.Length]];
        }
    }
}
