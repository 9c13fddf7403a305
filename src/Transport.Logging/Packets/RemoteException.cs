using System;

namespace Transport.Logging;

/// <summary>An exception that was logged in another process: its type, message and whole text, without an object of that type.</summary>
public sealed class RemoteException : Exception
{
    private readonly string _text;
    private readonly string? _stackTrace;

    /// <summary>Initializes a new instance of the <see cref="RemoteException"/> class.</summary>
    /// <param name="text">The exception's text as <see cref="Exception.ToString"/> returned it in the other process.</param>
    /// <exception cref="ArgumentNullException"><paramref name="text"/> is null.</exception>
    public RemoteException(string text)
        : base(MessageOf(text ?? throw new ArgumentNullException(nameof(text))))
    {
        _text = text;
        TypeName = TypeOf(text);
        int firstFrame = text.IndexOf("   at ", StringComparison.Ordinal);
        _stackTrace = firstFrame < 0 ? null : text.Substring(firstFrame);
    }

    /// <summary>Gets the full name of the exception's type in the other process; empty if the text does not begin with one.</summary>
    public string TypeName { get; }

    /// <summary>Gets the frames of the other process as text; null if there are none.</summary>
    public override string? StackTrace => _stackTrace;

    /// <summary>Returns the text of the other process, unchanged.</summary>
    /// <returns>Type, message, inner exceptions and frames.</returns>
    public override string ToString() => _text;

    private static string TypeOf(string text)
    {
        int end = text.IndexOfAny([':', '\r', '\n']);
        string type = end < 0 ? text : text.Substring(0, end);
        return type.IndexOf(' ') < 0 ? type : string.Empty;
    }

    /// <summary>Returns what stands between the type and the first inner exception or frame.</summary>
    private static string MessageOf(string text)
    {
        int start = TypeOf(text).Length;
        start += start > 0 && text.Length > start + 1 && text[start] == ':' ? 2 : 0;
        int end = text.Length;
        foreach (string mark in new[] { "\n ---> ", "\r\n ---> ", " ---> ", "\r\n   at ", "\n   at " })
        {
            int found = text.IndexOf(mark, Math.Min(start, text.Length), StringComparison.Ordinal);
            end = found >= 0 ? Math.Min(end, found) : end;
        }

        return start >= end ? string.Empty : text.Substring(start, end - start);
    }
}
