using System.Threading;
using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>The fields of messages that say nothing but their importance and project: most of a build's. One task after the other logs
/// them, so the fields of the last one are mostly those of the next, and are the same object. Safe from any thread.</summary>
internal sealed class PlainMessage
{
    private const int Importance = 0;
    private static readonly int ProjectFile = EventFields.Of(BuildEventKind.Message).IndexOf(nameof(BuildMessageEventArgs.ProjectFile));

    private object?[]? _last;   // never written to; replaced by any thread

    /// <returns>The fields; null if the message has others.</returns>
    public object?[]? FieldsOf(BuildMessageEventArgs args)
    {
        if (args.File is not null || args.Code is not null || args.Subcategory is not null
            || (args.LineNumber | args.ColumnNumber | args.EndLineNumber | args.EndColumnNumber) != 0)
        {
            return null;
        }

        object importance = EventBoxes.Of((long)args.Importance);
        object?[]? last = Volatile.Read(ref _last);
        if (last is not null && ReferenceEquals(last[Importance], importance) && ReferenceEquals(last[ProjectFile], args.ProjectFile))
        {
            return last;
        }

        last = EventFields.Of(BuildEventKind.Message).Usual.ToArray();
        (last[Importance], last[ProjectFile]) = (importance, args.ProjectFile);
        Volatile.Write(ref _last, last);
        return last;
    }
}
