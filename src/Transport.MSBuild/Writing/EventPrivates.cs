using System;
using System.Runtime.CompilerServices;
using Microsoft.Build.Framework;
using Microsoft.Build.Logging;

namespace Transport.MSBuild;

/// <summary>What MSBuild's events hold and no public constructor or setter takes. MSBuild's own reader of binary logs sets the same
/// members.</summary>
internal static class EventPrivates
{
    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "set_RawTimestamp")]
    public static extern void SetTimestamp(BuildEventArgs args, DateTime value);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "set_RawMessage")]
    public static extern void SetMessage(BuildEventArgs args, string? value);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "helpKeyword")]
    public static extern ref string? HelpKeyword(BuildEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "senderName")]
    public static extern ref string? Sender(BuildEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "importance")]
    public static extern ref MessageImportance Importance(BuildMessageEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "subcategory")]
    public static extern ref string? Subcategory(BuildMessageEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "code")]
    public static extern ref string? Code(BuildMessageEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "file")]
    public static extern ref string? File(BuildMessageEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "lineNumber")]
    public static extern ref int Line(BuildMessageEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "columnNumber")]
    public static extern ref int Column(BuildMessageEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "endLineNumber")]
    public static extern ref int EndLine(BuildMessageEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "endColumnNumber")]
    public static extern ref int EndColumn(BuildMessageEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "EventArgsWriter_EmbedFile")]
    public static extern void Embed(BinaryLogger logger, string filePath);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "set_LineNumber")]
    public static extern void SetLine(TaskStartedEventArgs args, int value);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "set_ColumnNumber")]
    public static extern void SetColumn(TaskStartedEventArgs args, int value);
}
