using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using Transport.Links;

namespace Transport.Nodes;

/// <summary>How a worker ended: process, link and last words in one report. Told after the link and both output streams have drained. Immutable.</summary>
public sealed class WorkerEnd
{
    internal WorkerEnd(string node, int processId, string fileName, ProcessEnd process, LinkEnd? link, string cause, IReadOnlyList<string> lastErrorLines, TimeSpan lifeTime, Exception? outputFault)
    {
        Node = node;
        ProcessId = processId;
        FileName = fileName;
        Process = process;
        Link = link;
        Cause = cause;
        LastErrorLines = lastErrorLines;
        LifeTime = lifeTime;
        OutputFault = outputFault;
    }

    /// <summary>Gets the main node's name for the worker.</summary>
    public string Node { get; }

    /// <summary>Gets the process id it had. Another process may have it by now.</summary>
    public int ProcessId { get; }

    /// <summary>Gets the program as it was asked for.</summary>
    public string FileName { get; }

    /// <summary>Gets the end of the process: exit code or signal.</summary>
    public ProcessEnd Process { get; }

    /// <summary>Gets the end of the link; null where the worker never connected.</summary>
    public LinkEnd? Link { get; }

    /// <summary>Gets a value indicating whether the worker ever had a link.</summary>
    public bool Connected => Link is not null;

    /// <summary>
    /// Gets the first cause in a few words: <c>clean</c>, <c>exit N</c>, <c>killed SIGX</c>, <c>rejected CODE</c> or a fault's name, then <c>; </c> and
    /// the process's end where that adds something. A signal or an exit code other than 0 wins over PeerGone, which is only its effect.
    /// </summary>
    public string Cause { get; }

    /// <summary>Gets the last 20 lines of standard error, oldest first.</summary>
    public IReadOnlyList<string> LastErrorLines { get; }

    /// <summary>Gets the time from the start to the end, as the link options' clock saw it.</summary>
    public TimeSpan LifeTime { get; }

    /// <summary>Gets what the output function threw, or null. After that it was not called again.</summary>
    public Exception? OutputFault { get; }

    /// <summary>Gets a value indicating whether the worker closed its link cleanly and its process ended with exit code 0.</summary>
    public bool IsClean => Link is { IsClean: true } && Process.IsSuccess;

    /// <summary>Says for a person how the worker ended: one line where all is well; otherwise more, with the link's reason, what nobody handled, and the last lines of standard error.</summary>
    /// <returns>For example <c>n2 (pid 4711, dotnet) killed SIGKILL after 12.3 s</c>, then indented lines.</returns>
    public override string ToString()
    {
        var text = new StringBuilder();
        text.AppendFormat(CultureInfo.InvariantCulture, "{0} (pid {1}, {2}) {3} after {4:0.0} s", Node, ProcessId, FileName, Cause, LifeTime.TotalSeconds);
        if (Link is { IsClean: false, Reason.Length: > 0 })
        {
            text.Append("\n  link: ").Append(Link.Reason);
        }

        if (Link is { Receipt.Unhandled: > 0 and var unhandled })
        {
            text.AppendFormat(CultureInfo.InvariantCulture, "\n  {0} packets had no handler", unhandled);
        }

        if (!IsClean)
        {
            foreach (string line in LastErrorLines)
            {
                text.Append("\n  stderr: ").Append(line);
            }
        }

        return text.ToString();
    }
}
