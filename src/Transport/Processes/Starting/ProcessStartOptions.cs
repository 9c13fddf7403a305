using System;
using System.Collections.Generic;
using System.IO;

namespace Transport;

/// <summary>What to start: a program, its arguments, and what differs from this process's own surroundings. Copied at the start; changing
/// it later changes nothing.</summary>
/// <remarks>
/// The child gets standard output and standard error as pipes that this process reads, no other handle (but a worker with inherited pipes
/// gets those), default signal handling and an empty signal mask (the .NET runtime ignores SIGPIPE; a child must not inherit that).
/// </remarks>
public class ProcessStartOptions
{
    /// <summary>Initializes a new instance of the <see cref="ProcessStartOptions"/> class.</summary>
    /// <param name="fileName">See <see cref="FileName"/>.</param>
    /// <param name="arguments">See <see cref="Arguments"/>.</param>
    public ProcessStartOptions(string fileName, params string[] arguments)
    {
        FileName = fileName ?? throw new ArgumentNullException(nameof(fileName));
        Arguments = new List<string>(arguments ?? throw new ArgumentNullException(nameof(arguments)));
    }

    /// <summary>Makes the options for another process of this program, whichever way it was started: by itself, as <c>dotnet App.dll</c>,
    /// or by Mono.</summary>
    /// <param name="arguments">See <see cref="Arguments"/>.</param>
    /// <returns>The options.</returns>
    /// <exception cref="InvalidOperationException">The system does not report where this program stands.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="arguments"/> is null.</exception>
    public static ProcessStartOptions ForThisProgram(params string[] arguments)
    {
        (string file, string[] all) = ThisProgram.Again(ArgumentGuard.NotNull(arguments, nameof(arguments)));
        return new ProcessStartOptions(file, all);
    }

    /// <summary>Gets the program. Without a slash it is searched in the folders of the child's <c>PATH</c>; a relative path counts from
    /// this process's current folder.</summary>
    public string FileName { get; }

    /// <summary>Gets the arguments, each handed over as it is: no shell, no quoting. Command lines are visible to every user of the
    /// machine: no secrets here.</summary>
    public IList<string> Arguments { get; private set; }

    /// <summary>Gets the changes to this process's environment: a value sets a variable, null removes it.</summary>
    public IDictionary<string, string?> Environment { get; private set; } = new Dictionary<string, string?>(StringComparer.Ordinal);

    /// <summary>Gets or sets the child's working folder.</summary>
    /// <value>The default is null: this process's current folder.</value>
    public string? WorkingDirectory { get; set; }

    /// <summary>Gets or sets a value indicating whether the child reads this process's standard input.</summary>
    /// <value>The default is false: its standard input is empty (<c>/dev/null</c>).</value>
    public bool InheritStandardInput { get; set; }

    /// <summary>Gets or sets a value indicating whether the child writes to this process's standard output and error, a terminal for
    /// example, as if it stood in this process's place. Nothing of its output is then seen here: no lines, no fatal errors.</summary>
    /// <value>The default is false: both are read line by line.</value>
    public bool InheritOutput { get; set; }

    /// <summary>Gets or sets the function that takes each line that the child writes, in order within a stream and one call at a time, on
    /// a thread of the child's own. While a call has not returned, nothing more is read of its output, and its end waits, unless it is
    /// stopped. What it throws is kept for the exit report, and it gets the next lines all the same.</summary>
    /// <value>The default is null: lines are dropped.</value>
    public Action<OutputLine>? Output { get; set; }

    /// <summary>Gets or sets a value indicating whether the child leads a process group of its own, so that a Ctrl+C at the terminal
    /// reaches this process alone. Unix only.</summary>
    /// <value>The default is false.</value>
    public bool OwnProcessGroup { get; set; }

    /// <summary>Gets or sets what the child inherits, from <see cref="FileDescriptor.FirstFree"/> on; null: nothing. Their numbers in this
    /// process are above those in the child. Unix only.</summary>
    internal IReadOnlyList<DescriptorHandle>? Inherited { get; set; }

    /// <summary>Returns the program's name; never the arguments or the environment.</summary>
    /// <returns><see cref="FileName"/>.</returns>
    public override string ToString() => FileName;

    /// <summary>Checks every value.</summary>
    /// <returns>A copy that nobody else can change.</returns>
    /// <exception cref="ArgumentException">Something cannot be handed to a program; the message names all of it.</exception>
    internal ProcessStartOptions CheckedCopy()
    {
        var wrong = new List<string>();
        if (FileName.Length == 0 || HoldsNul(FileName))
        {
            wrong.Add($"{nameof(FileName)} is empty or holds a NUL character");
        }

        for (int i = 0; i < Arguments.Count; i++)
        {
            if (Arguments[i] is null || HoldsNul(Arguments[i]))
            {
                wrong.Add($"{nameof(Arguments)}[{i}] is null or holds a NUL character");
            }
        }

        var copy = (ProcessStartOptions)MemberwiseClone();
        copy.Arguments = [.. Arguments];
        copy.Environment = new Dictionary<string, string?>(StringComparer.Ordinal);
        foreach (KeyValuePair<string, string?> change in Environment)
        {
            if (change.Key.Length == 0 || change.Key.Contains("=") || HoldsNul(change.Key)
                || (change.Value is not null && HoldsNul(change.Value)))
            {
                wrong.Add($"{nameof(Environment)}[\"{change.Key.Replace("\0", "\\0")}\"]: a name is not empty and holds no '=', "
                    + "and neither name nor value holds a NUL character");
            }

            copy.Environment[change.Key] = change.Value;
        }

        return wrong.Count == 0
            ? copy
            : throw new ArgumentException($"This program cannot be started: {string.Join("; ", wrong)}.", "start");
    }

    private static bool HoldsNul(string text) => text.IndexOf('\0') >= 0;
}
