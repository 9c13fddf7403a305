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
    private static readonly Sentence[] Sentences =
    [
        new("Unhandled exception. ", FatalErrorKind.UnhandledException, Says.What),
        new("Process terminated.", FatalErrorKind.FailFast, Says.What),
        new("Stack overflow.", FatalErrorKind.StackOverflow, Says.Nothing),
        new("Out of memory.", FatalErrorKind.OutOfMemory, Says.Nothing),
        new("Fatal error.", FatalErrorKind.RuntimeFault, Says.What),
        new("You must install .NET to run this application.", FatalErrorKind.RuntimeMissing, Says.All),
        new("You must install or update .NET to run this application.", FatalErrorKind.RuntimeMissing, Says.All),
        new("[ERROR] FATAL UNHANDLED EXCEPTION: ", FatalErrorKind.UnhandledException, Says.What, IsMono: true),
        new("CLR: Managed code called FailFast, saying ", FatalErrorKind.FailFast, Says.Quoted, IsMono: true),
        new("CLR: Managed code called FailFast", FatalErrorKind.FailFast, Says.Nothing, IsMono: true),
        new("Stack overflow: IP: ", FatalErrorKind.StackOverflow, Says.Nothing, IsMono: true),
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

        foreach (Sentence sentence in Sentences)
        {
            if (text.StartsWith(sentence.Start, StringComparison.Ordinal))
            {
                Begin(sentence, text);
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

    private void Begin(Sentence sentence, string text)
    {
        string rest = text.Substring(sentence.Start.Length).Trim();
        _mono = sentence.IsMono;
        _kind = sentence.Kind == FatalErrorKind.UnhandledException ? KindOf(rest) : sentence.Kind;
        _more = sentence.Says == Says.What ? MostLines : 0;
        _message = Cut(sentence.Says switch
        {
            Says.Nothing => string.Empty,
            Says.All => text.Trim(),
            Says.Quoted => rest.Trim('"'),
            _ => rest,
        });
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

    /// <summary>What follows the beginning of a sentence.</summary>
    private enum Says
    {
        /// <summary>Nothing that tells more than the kind.</summary>
        Nothing,

        /// <summary>The message, which may go on in the next lines.</summary>
        What,

        /// <summary>The message in quotation marks.</summary>
        Quoted,

        /// <summary>The sentence is the message.</summary>
        All,
    }

    private sealed record Sentence(string Start, FatalErrorKind Kind, Says Says, bool IsMono = false);
}
