using System;

namespace Transport;

/// <summary>Finds, line by line, what a dying runtime says of its exit. The stack it then prints may push that sentence out of the last
/// lines, so it is kept when it comes.</summary>
/// <remarks>
/// The sentences are those of .NET 10 (and, if they differ, of .NET 6 to 9) and of Mono 6.8. A program may write the same words for
/// another reason, or a child of its own did: so a finding counts only if the process ended the way such an error ends one
/// (<see cref="Confirm"/>). Not safe for concurrent use.
/// </remarks>
internal sealed class FatalErrorWatch
{
    private const int LongestMessage = 1024;

    /// <summary>What Mono's crash reporter says of a signal, on standard output. It says so of the abort() of other errors too: the first
    /// word counts.</summary>
    private const string Crash = " while executing native code.";

    /// <summary>How many lines a message may go on for before the stack begins.</summary>
    private const int MostLines = 8;

    private const int SigAbort = 6, ShellAbort = 128 + SigAbort, MonoUnhandled = 1;
    private static readonly Sentence[] Sentences =
    [
        new("Unhandled exception. ", FatalErrorKind.UnhandledException, Says.What),
        new("Process terminated.", FatalErrorKind.FailFast, Says.What),
        new("Stack overflow.", FatalErrorKind.StackOverflow, Says.NothingMore),
        new("Out of memory.", FatalErrorKind.OutOfMemory, Says.NothingMore),
        new("Fatal error.", FatalErrorKind.RuntimeFault, Says.What),
        new("You must install .NET to run this application.", FatalErrorKind.RuntimeMissing, Says.All),
        new("You must install or update .NET to run this application.", FatalErrorKind.RuntimeMissing, Says.All),
        new("[ERROR] FATAL UNHANDLED EXCEPTION: ", FatalErrorKind.UnhandledException, Says.What, IsMono: true),
        new("CLR: Managed code called FailFast, saying ", FatalErrorKind.FailFast, Says.Quoted, IsMono: true),
        new("CLR: Managed code called FailFast", FatalErrorKind.FailFast, Says.Nothing, IsMono: true),
        new("Stack overflow: IP: ", FatalErrorKind.StackOverflow, Says.Nothing, IsMono: true),
        new("Got a SIG", FatalErrorKind.RuntimeFault, Says.Crash, IsMono: true),
    ];

    private FatalErrorKind _kind;
    private string _message = string.Empty;
    private string? _failFast;   // all that may be FailFast's message, until a stack begins
    private bool _mono, _quotes, _crashed;
    private int _more;

    /// <summary>Takes a line of either stream: Mono reports FailFast on standard output.</summary>
    public void Take(OutputLine line)
    {
        string text = line.Text;
        if (!line.IsError && !text.StartsWith("CLR: ", StringComparison.Ordinal) && !IsCrash(text))
        {
            return;
        }

        JudgeFailFast(text);

        // What the runtime itself quotes may have lines that read like a sentence; they are the message's until the stack begins.
        if (_more > 0 && _quotes)
        {
            GoOn(text);
            return;
        }

        foreach (Sentence sentence in Sentences)
        {
            int at = PlaceOf(sentence, text);
            if (at >= 0 && (sentence.Says != Says.Crash || (_kind == 0 && IsCrash(text))))
            {
                Begin(sentence, text.Substring(at));
                return;
            }
        }

        if (_more > 0)
        {
            GoOn(text);
        }
    }

    /// <summary>Reports what the program died of, if its end bears out what it said.</summary>
    /// <param name="end">How it ended.</param>
    /// <param name="brokeLink">It had a link and ended it without Goodbye.</param>
    /// <returns>The error, or null.</returns>
    /// <remarks>Mono 6.8's crash reporter may itself fail while other threads run on, and then ends the process with exit code 0 (seen with
    /// 20 of 50 SIGSEGV sent to a busy process).</remarks>
    public FatalError? Confirm(ProcessExit end, bool brokeLink = false) =>
        _kind != 0 && (BearsOut(end) || (_crashed && brokeLink && end.IsSuccess)) ? new FatalError(_kind, _message) : null;

    private static string Cut(string text) => text.Length <= LongestMessage ? text : text.Substring(0, LongestMessage - 1) + "…";

    /// <summary>Where in a line a sentence begins: at its start; that of an exception also behind what the program had written without
    /// ending the line, if a type's name follows it.</summary>
    private static int PlaceOf(Sentence sentence, string text)
    {
        if (text.StartsWith(sentence.Start, StringComparison.Ordinal))
        {
            return sentence.Says != Says.NothingMore || text.Length == sentence.Start.Length ? 0 : -1;
        }

        int at = sentence.Kind == FatalErrorKind.UnhandledException ? text.IndexOf(sentence.Start, StringComparison.Ordinal) : -1;
        return at > 0 && NamesAnException(text.Substring(at + sentence.Start.Length)) ? at : -1;
    }

    /// <summary>Whether a text begins as an exception's does: <c>Some.Type: message</c>.</summary>
    private static bool NamesAnException(string text)
    {
        int end = text.IndexOf(": ", StringComparison.Ordinal);
        string name = end < 0 ? text : text.Substring(0, end);
        return name.Length > 0 && (name.IndexOf('.') > 0 || name.EndsWith("Exception", StringComparison.Ordinal)) && name.IndexOf(' ') < 0
            && !name.EndsWith(".", StringComparison.Ordinal);
    }

    private static bool IsCrash(string text) => text.StartsWith("Got a SIG", StringComparison.Ordinal)
        && text.IndexOf(Crash, StringComparison.Ordinal) >= 0;

    private static FatalErrorKind KindOf(string exception) =>
        exception.StartsWith("System.StackOverflowException", StringComparison.Ordinal) ? FatalErrorKind.StackOverflow
        : exception.StartsWith("System.OutOfMemoryException", StringComparison.Ordinal) ? FatalErrorKind.OutOfMemory
        : FatalErrorKind.UnhandledException;

    private void Begin(Sentence sentence, string text)
    {
        string rest = text.Substring(sentence.Start.Length).Trim();
        _mono = sentence.IsMono;
        _crashed = sentence.Says == Says.Crash;
        _failFast = sentence.Kind == FatalErrorKind.FailFast ? null : _failFast;
        _kind = sentence.Kind == FatalErrorKind.UnhandledException ? KindOf(rest) : sentence.Kind;
        _more = sentence.Says == Says.What ? MostLines : 0;
        _quotes = sentence.Kind == FatalErrorKind.UnhandledException && NamesAnException(rest);
        _message = Cut(sentence.Says switch
        {
            Says.Nothing or Says.NothingMore => string.Empty,
            Says.All => text.Trim(),
            Says.Quoted => rest.Trim('"'),
            Says.Crash => text.Substring(0, text.IndexOf(Crash, StringComparison.Ordinal) + Crash.Length),
            _ => rest,
        });
    }

    /// <summary>"Process terminated." is soon written by a program that goes on to die of something else; but FailFast's message may
    /// have a line like a sentence too. Its stack distinguishes them.</summary>
    private void JudgeFailFast(string text)
    {
        bool isStack = IsStack(text);
        if (_more > 0 && _kind == FatalErrorKind.FailFast && !isStack)
        {
            _failFast = Joined(_failFast ?? _message, text);
        }
        else if (_failFast is { } reported && isStack)
        {
            if (text.IndexOf("System.Environment.FailFast", StringComparison.Ordinal) >= 0)
            {
                (_kind, _message, _more, _mono) = (FatalErrorKind.FailFast, reported, 0, false);
            }

            _failFast = null;
        }
        else if (_failFast is not null)
        {
            _failFast = Joined(_failFast, text);
        }
    }

    /// <summary>A message of several lines goes on until the stack, or an inner exception, begins.</summary>
    private void GoOn(string text)
    {
        if (IsStack(text))
        {
            _more = 0;
            return;
        }

        _more--;
        _message = Joined(_message, text);
    }

    private static bool IsStack(string text) =>
        text.TrimStart() is { } begun
            && (begun.StartsWith("at ", StringComparison.Ordinal) || begun.StartsWith("---", StringComparison.Ordinal));

    private static string Joined(string message, string text) => message.Length == LongestMessage ? message
        : Cut(message.Length == 0 ? text.Trim() : message + " " + text.Trim());

    /// <summary>Both runtimes end themselves by abort(): another signal came from elsewhere, or from code that is not theirs, whatever a
    /// child of the program has said.</summary>
    private bool BearsOut(ProcessExit end) => _kind == FatalErrorKind.RuntimeMissing
        ? end.ExitCode is > 128 or < 0 // the hosts' codes are 0x800080xx, of which Unix keeps the last byte
        : end.Signal == SigAbort
            || end.ExitCode is ShellAbort or < 0 // behind a shell; on Windows the code of an exception
            || (_mono && end.ExitCode == MonoUnhandled);

    /// <summary>What follows the beginning of a sentence.</summary>
    private enum Says
    {
        /// <summary>Nothing that reports more than the kind.</summary>
        Nothing,

        /// <summary>As <see cref="Nothing"/>; the sentence is the whole line.</summary>
        NothingMore,

        /// <summary>The message, which may go on in the next lines.</summary>
        What,

        /// <summary>The message in quotation marks.</summary>
        Quoted,

        /// <summary>The sentence is the message.</summary>
        All,

        /// <summary>The sentence of a crash reporter is the message; it counts if nothing was said before.</summary>
        Crash,
    }

    private sealed record Sentence(string Start, FatalErrorKind Kind, Says Says, bool IsMono = false);
}
