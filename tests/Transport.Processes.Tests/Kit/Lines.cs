using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Kit;

/// <summary>Collects a child's lines; can be waited for one of them.</summary>
internal sealed class Lines
{
    private readonly List<OutputLine> _lines = new();
    private readonly List<(Func<OutputLine, bool> Wanted, TaskCompletionSource<OutputLine> Found)> _waiting = new();

    public void Take(OutputLine line)
    {
        lock (_lines)
        {
            _lines.Add(line);
            _waiting.FindAll(w => w.Wanted(line)).ForEach(w => w.Found.TrySetResult(line));
        }
    }

    public List<OutputLine> All()
    {
        lock (_lines)
        {
            return [.. _lines];
        }
    }

    public List<string> Of(bool isError) => All().Where(l => l.IsError == isError).Select(l => l.Text).ToList();

    public Task<OutputLine> First(Func<OutputLine, bool> wanted, string what)
    {
        var found = new TaskCompletionSource<OutputLine>(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_lines)
        {
            int at = _lines.FindIndex(l => wanted(l));
            if (at >= 0)
            {
                return Task.FromResult(_lines[at]);
            }

            _waiting.Add((wanted, found));
        }

        return found.Task.Within("the line " + what);
    }
}
