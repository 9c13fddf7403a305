using System.Linq;
using NUnit.Framework;

namespace Transport.Processes.Tests.Exits;

/// <summary>What dying runtimes say, word for word, and whether it is believed.</summary>
public sealed class FatalErrorWatchTests
{
    private const int Abort = 6, Kill = 9, Segv = 11;

    [TestCase("Unhandled exception. System.IO.IOException: no space|   at A.B()", "unhandled exception: System.IO.IOException: no space")]
    [TestCase("Unhandled exception. System.Exception: one|two|three| ---> System.Exception: inner",
        "unhandled exception: System.Exception: one two three")]
    [TestCase("Unhandled exception. System.OutOfMemoryException: Array dimensions exceeded supported range.",
        "out of memory: System.OutOfMemoryException: Array dimensions exceeded supported range.")]
    [TestCase("Process terminated.|said|in two lines|   at System.Environment.FailFast(System.String)", "FailFast: said in two lines")]
    [TestCase("Process terminated. said before .NET 9|   at System.Environment.FailFast(System.String)", "FailFast: said before .NET 9")]
    [TestCase("Stack overflow.|Repeated 24 times:|--------|   at A.B()", "stack overflow")]
    [TestCase("Out of memory.", "out of memory or threads")]
    [TestCase("Fatal error. Internal CLR error. (0x80131506)|   at A.B()", "runtime fault: Internal CLR error. (0x80131506)")]
    [TestCase("[ERROR] FATAL UNHANDLED EXCEPTION: System.StackOverflowException: The requested operation caused a stack overflow.|  "
        + "at A.B ()", "stack overflow: System.StackOverflowException: The requested operation caused a stack overflow.")]
    [TestCase("Stack overflow in unmanaged: IP: 0x7f, fault addr: 0x7e|Stack overflow: IP: 0x7f, fault addr: 0x7d|Stacktrace:",
        "stack overflow")]
    [TestCase("Unhandled exception. System.Exception: one|Stack overflow.|Out of memory.|   at A.B()",
        "unhandled exception: System.Exception: one Stack overflow. Out of memory.")]
    [TestCase("Process terminated.|Unhandled exception. System.Exception: said by FailFast|   at "
        + "System.Environment.FailFast(System.String)", "FailFast: Unhandled exception. System.Exception: said by FailFast")]
    [TestCase("Process terminated.|one|Stack overflow.|two|   at System.Environment.FailFast(System.String)",
        "FailFast: one Stack overflow. two")]
    [TestCase("Process terminated.|Unhandled exception. System.Exception: x|   at A.B()", "unhandled exception: System.Exception: x")]
    [TestCase("Unhandled exception. System.Exception: first|   at A.B()|Stack overflow.|   at A.B()", "stack overflow")]
    [TestCase("Unhandled exception. logged by the program|Stack overflow.|   at A.B()", "stack overflow")]
    [TestCase("Fatal error. logged by the program|Unhandled exception. System.Exception: x", "unhandled exception: System.Exception: x")]
    [TestCase("42 %Unhandled exception. System.IO.IOException: no space|   at A.B()",
        "unhandled exception: System.IO.IOException: no space")]
    [TestCase("42 %Unhandled exception. MyException: mine", "unhandled exception: MyException: mine")]
    [TestCase("42 %Unhandled exception. System.OutOfMemoryException", "out of memory: System.OutOfMemoryException")]
    [TestCase("I know what \"Unhandled exception. \" means: nothing good.", null)]
    [TestCase("see Unhandled exception. No.", null)]
    [TestCase("nothing of the kind|terminated.", null)]
    [TestCase("Stack overflow. Or so it seems", null)]
    [TestCase("Out of memory. Trying again with less", null)]
    [TestCase("  Unhandled exception. in the middle of a text", null)]
    public void It_is_found_among_the_lines_of_stderr(string lines, string? expected) =>
        Assert.That(Watch(isError: true, lines).Confirm(Signal(Abort))?.ToString(), Is.EqualTo(expected));

    [TestCase("CLR: Managed code called FailFast, saying \"said for the test\"", "FailFast: said for the test")]
    [TestCase("Unhandled exception. System.Exception: printed", null)]
    [TestCase("Got a SIGSEGV while executing native code. This usually indicates|a fatal error in the mono runtime",
        "runtime fault: Got a SIGSEGV while executing native code.")]
    [TestCase("CLR: Managed code called FailFast, saying \"said\"|Got a SIGABRT while executing native code. This usually indicates",
        "FailFast: said")]
    [TestCase("Got a SIGSEGV in a test of mine", null)]
    public void On_stdout_only_Monos_word_counts(string lines, string? expected) =>
        Assert.That(Watch(isError: false, lines).Confirm(Signal(Abort))?.ToString(), Is.EqualTo(expected));

    [Test]
    public void A_long_stack_does_not_push_it_out()
    {
        FatalErrorWatch watch = Watch(isError: true, "Stack overflow.|" + string.Join("|", Enumerable.Repeat("   at A.B()", 5000)));
        Assert.That(watch.Confirm(Signal(Abort))?.Kind, Is.EqualTo(FatalErrorKind.StackOverflow));
    }

    [Test]
    public void A_message_without_end_is_cut()
    {
        string message = Watch(isError: true, "Unhandled exception. " + new string('x', 100_000)).Confirm(Signal(Abort))!.Message;
        Assert.That(message, Has.Length.EqualTo(1024).And.EndsWith("…"));
    }

    [Test]
    public void It_counts_only_where_the_end_bears_it_out()
    {
        const string Net = "Unhandled exception. System.Exception: x", Mono = "[ERROR] FATAL UNHANDLED EXCEPTION: System.Exception: x",
            Missing = "You must install .NET to run this application.";
        Assert.Multiple(() =>
        {
            Assert.That(Confirmed(Net, Signal(Abort)) && Confirmed(Net, ProcessExit.Exited(134)), Is.True, "a shell says 134");
            Assert.That(Confirmed(Net, ProcessExit.Exited(unchecked((int)0xE0434352))), Is.True, "Windows");
            Assert.That(Confirmed(Net, Signal(Kill)) || Confirmed(Net, Signal(Segv)) || Confirmed(Net, ProcessExit.Exited(0))
                || Confirmed(Net, ProcessExit.Exited(1)) || Confirmed(Net, ProcessExit.Exited(137)), Is.False);
            Assert.That(Confirmed(Mono, ProcessExit.Exited(1)), Is.True);
            Assert.That(Confirmed(Mono, ProcessExit.Exited(3)), Is.False);
            Assert.That(Confirmed(Missing, ProcessExit.Exited(131)), Is.True);
            Assert.That(Confirmed(Missing, ProcessExit.Exited(1)) || Confirmed(Missing, Signal(Abort)), Is.False);
        });
    }

    [Test]
    public void A_crash_of_Mono_that_ended_with_exit_code_0_is_reported_where_the_link_broke()
    {
        FatalErrorWatch watch = Watch(isError: false, "Got a SIGSEGV while executing native code. This usually indicates");
        Assert.That(watch.Confirm(ProcessExit.Exited(0), brokeLink: true)?.ToString(),
            Is.EqualTo("runtime fault: Got a SIGSEGV while executing native code."));
        Assert.That(watch.Confirm(ProcessExit.Exited(0)), Is.Null, "a child of the program may have said so");
        Assert.That(watch.Confirm(ProcessExit.Exited(3), brokeLink: true), Is.Null);
        Assert.That(Watch(isError: true, "Stack overflow.").Confirm(ProcessExit.Exited(0), brokeLink: true), Is.Null);
    }

    private static bool Confirmed(string line, ProcessExit end) => Watch(isError: true, line).Confirm(end) is not null;

    private static ProcessExit Signal(int signal) => ProcessExit.FromWaitStatus(signal);

    private static FatalErrorWatch Watch(bool isError, string lines)
    {
        var watch = new FatalErrorWatch();
        foreach (string line in lines.Split('|'))
        {
            watch.Take(new OutputLine(line, isError, IsPartial: false));
        }

        return watch;
    }
}
