using System;
using System.IO;
using System.Text;
using System.Threading.Tasks;
using NUnit.Framework;
using Spectre.Console;
using Transport.Testing.Clock;
using LiveDisplay = BuildHarness.Display.LiveDisplay;

namespace BuildHarness.Tests.Display;

internal sealed class LiveDisplayTests
{
    /// <summary>Drawn from a timer: what escaped there ended the build.</summary>
    [Test]
    public async Task A_terminal_that_fails_in_an_unexpected_way_ends_the_drawing_and_not_the_work()
    {
        var clock = new ManualClock();
        using var terminal = new FailingTerminal();
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = AnsiSupport.Yes, Out = new AnsiConsoleOutput(terminal), Interactive = InteractionSupport.Yes,
        });
        using (var display = new LiveDisplay(console, clock))
        {
            display.Node("n1", "builds");
            terminal.IsFailing = true;
            clock.Advance(TimeSpan.FromSeconds(1));
            await terminal.Failed.Task.WaitAsync(TimeSpan.FromMinutes(1));
            Assert.DoesNotThrow(() => display.Line("a line"));
            Assert.DoesNotThrow(() => display.Progress(1, 2, 3));
        }
    }

    private sealed class FailingTerminal : StringWriter
    {
        public bool IsFailing { get; set; }

        public TaskCompletionSource Failed { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public override Encoding Encoding => Encoding.UTF8;

        public override void Write(char value) => Check();

        public override void Write(string? value) => Check();

        public override void Write(char[] buffer, int index, int count) => Check();

        public override void Write(ReadOnlySpan<char> buffer) => Check();

        public override void Flush() => Check();

        private void Check()
        {
            if (IsFailing)
            {
                Failed.TrySetResult();
                throw new InvalidTimeZoneException("unexpected");
            }
        }
    }
}
