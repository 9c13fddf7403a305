using System;

namespace Transport.Nodes;

/// <summary>Finds, line by line, what a dying runtime says of its death. The stack it then prints may push that sentence out of the last lines, so it is kept when it comes.</summary>
/// <remarks>
/// The sentences are those of .NET 10 (and, where they differ, of .NET 6 to 9) and of Mono 6.8. A program may write the same words for another reason, or a child of
/// its own did: so a finding counts only where the process ended the way such an error ends one (<see cref="Confirm"/>). Not safe for concurrent use.
/// </remarks>
internal sealed class FatalErrorWatch
{
    private const int LongestMessage = 1024;

    /// <summary>How many lines a message may go on for before the stack begins.</summary>
    private const int MostLines = 8;

    private const int SigIll = 4, SigTrap = 5, SigAbort = 6, SigFpe = 8, SigSegv = 11, ShellAbort = 128 + SigAbort, MonoUnhandled = 1;
    private static readonly (string Start, FatalErrorKind Kind)[] Sentences =
    [
        ("Unhandled exception. ", FatalErrorKind.UnhandledException),
        ("[ERROR] FATAL UNHANDLED EXCEPTION: ", FatalErrorKind.UnhandledException),
        ("Process terminated.", FatalErrorKind.FailFast),
        ("CLR: Managed code called FailFast", FatalErrorKind.FailFast),
        ("Stack overflow.", FatalErrorKind.StackOverflow),
        ("Out of memory.", FatalErrorKind.OutOfMemory),
        ("Fatal error.", FatalErrorKind.RuntimeFault),
        ("You must install .NET to run this application.", FatalErrorKind.RuntimeMissing),
        ("You must install or update .NET to run this application.", FatalErrorKind.RuntimeMissing),
    ];

    private FatalErrorKind _kind;
    private string _message = string.Empty;
    private bool _mono;
    private int _more;

    /// <summary>Takes a line of either stream: Mono tells FailFast on standard output.</summary>
    public void Take(OutputLine line)
    {
        string text = line.Text;
        if (line.Stream == OutputStream.Out && !text.StartsWith("CLR: ", StringComparison.Ordinal))
        {
            return;
        }

        foreach ((string start, FatalErrorKind kind) in Sentences)
        {
            if (text.StartsWith(start, StringComparison.Ordinal))
            {
                Begin(kind, start, text);
                return;
            }
        }

        if (_more > 0)
        {
            GoOn(text);
        }
    }

    /// <summary>Says what the program died of, where its end bears out what it said.</summary>
    /// <param name="end">How it ended.</param>
    /// <returns>The error, or null.</returns>
    public FatalError? Confirm(ProcessEnd end) => _kind != 0 && BearsOut(end) ? new FatalError(_kind, _message) : null;

    private static string Cut(string text) => text.Length <= LongestMessage ? text : text.Substring(0, LongestMessage - 1) + "…";

    private static FatalErrorKind KindOf(string exception) =>
        exception.StartsWith("System.StackOverflowException", StringComparison.Ordinal) ? FatalErrorKind.StackOverflow
        : exception.StartsWith("System.OutOfMemoryException", StringComparison.Ordinal) ? FatalErrorKind.OutOfMemory
        : FatalErrorKind.UnhandledException;

    private void Begin(FatalErrorKind kind, string start, string text)
    {
        string rest = text.Substring(start.Length).Trim();
        _mono = start[0] is '[' or 'C';
        _kind = kind == FatalErrorKind.UnhandledException ? KindOf(rest) : kind;
        (_message, _more) = kind switch
        {
            FatalErrorKind.UnhandledException => (rest, MostLines),
            FatalErrorKind.FailFast when _mono => (rest.TrimStart(',', ' ').Replace("saying ", string.Empty).Trim('"', '.'), 0),
            FatalErrorKind.FailFast or FatalErrorKind.RuntimeFault => (rest, MostLines),
            FatalErrorKind.RuntimeMissing => (text.Trim(), 0),
            _ => (rest, 0),
        };
        _message = Cut(_message);
    }

    /// <summary>A message of several lines goes on until the stack, or an inner exception, begins.</summary>
    private void GoOn(string text)
    {
        if (text.TrimStart() is { } begun && (begun.StartsWith("at ", StringComparison.Ordinal) || begun.StartsWith("--->", StringComparison.Ordinal) || begun.StartsWith("---", StringComparison.Ordinal)))
        {
            _more = 0;
            return;
        }

        _more--;
        _message = Cut(_message.Length == 0 ? text.Trim() : _message + " " + text.Trim());
    }

    private bool BearsOut(ProcessEnd end) => _kind == FatalErrorKind.RuntimeMissing
        ? end.ExitCode is > 128 or < 0 // the hosts' codes are 0x800080xx, of which Unix keeps the last byte
        : end.Signal is SigIll or SigTrap or SigAbort or SigFpe or SigSegv
            || end.ExitCode is ShellAbort or < 0 // behind a shell; on Windows the code of an exception
            || (_mono && end.ExitCode == MonoUnhandled);
}
