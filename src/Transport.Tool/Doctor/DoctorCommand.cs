using System;
using System.CommandLine;
using System.IO;
using System.Threading.Tasks;
using Transport.Journal;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>The command <c>doctor</c>.</summary>
internal sealed class DoctorCommand
{
    /// <summary>What the exit codes mean, for the help.</summary>
    public const string ExitCodes = "0 nothing to change; 1 something should be changed, and its line says what; 2 bad usage; 3 "
        + "stdout cannot be written.";

    private readonly Option<string> _folder = new("--folder")
    {
        Description = "The folder in which journals are tried; by default the temporary folder.",
        DefaultValueFactory = _ => Path.GetTempPath(),
    };

    /// <summary>Initializes a new instance of the <see cref="DoctorCommand"/> class.</summary>
    public DoctorCommand() => Command = new Command("doctor", "Reports what this machine gives: the folder of endpoints, limits, what a "
        + "link and a journal do, and what to change.") { _folder };

    /// <summary>Gets the command.</summary>
    public Command Command { get; }

    /// <summary>Runs it.</summary>
    /// <param name="parsed">The command line.</param>
    /// <returns>The exit code.</returns>
    /// <exception cref="ToolException">The folder is not there.</exception>
    public async Task<int> RunAsync(ParseResult parsed)
    {
        string folder = parsed.GetRequiredValue(_folder);
        if (!Directory.Exists(folder))
        {
            throw new ToolException($"doctor: --folder {folder}: there is no such folder.", ToolExitCodes.BadUsage);
        }

        bool isWell = true;
        foreach (Finding finding in MachineChecks.All())
        {
            isWell &= Show(finding);
        }

        isWell &= Show(await Trials.LinkAsync().ConfigureAwait(false));
        isWell &= Show(await Trials.JournalAsync(JournalBackEnd.Write, folder).ConfigureAwait(false));
        if (OperatingSystem.IsLinux())
        {
            isWell &= Show(await Trials.JournalAsync(JournalBackEnd.Uring, folder).ConfigureAwait(false));
        }

        return isWell ? ToolExitCodes.Success : ToolExitCodes.Invalid;
    }

    /// <returns>Whether there is nothing to change.</returns>
    private static bool Show(Finding finding)
    {
        Console.Out.WriteLine(TerminalText.Line($"{(finding.Advice is null ? "ok    " : "change")} {finding.What}: {finding.Value}"));
        if (finding.Advice is { } advice)
        {
            Console.Out.WriteLine(TerminalText.Line($"       {advice}"));
        }

        return finding.Advice is null;
    }
}
