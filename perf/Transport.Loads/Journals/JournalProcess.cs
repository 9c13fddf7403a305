using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using Transport.Loads.Measuring;
using Transport.Loads.Workers;

namespace Transport.Loads.Journals;

/// <summary>The worker process with this library's journals. One for a whole scenario, so that its code is warm after the first
/// row.</summary>
internal sealed class JournalProcess(string folder, bool quick) : IDisposable
{
    private readonly LoadWorker _worker = new(string.Empty, "journal", folder);
    private readonly List<string> _names = [];

    /// <summary>Gets the bytes of a segment.</summary>
    public long Segment { get; } = (quick ? 16L : 64L) << 20;

    /// <summary>Gets the bytes of all segments from which on the oldest is used again; the floors go round in a file of as many.</summary>
    public long Kept => 4 * Segment;

    /// <summary>Opens a new journal.</summary>
    public Rival Open(JournalLoad load)
    {
        string name = string.Create(CultureInfo.InvariantCulture, $"ours-{_names.Count}");
        _names.Add(name);
        return new Rival(this, name, Ask("open", name, Segment, Kept, load));
    }

    /// <summary>Measures something that is done to a closed journal.</summary>
    public JournalSample Measure(string what, string name) => Sample(Ask(what, name));

    public string PathOf(string name) => Path.Combine(folder, name);

    public void Dispose() => _worker.Dispose();

    private static JournalSample Sample(string answer)
    {
        string[] words = answer.Split(' ', 5);
        double[] n = Array.ConvertAll(words[..4], w => double.Parse(w, CultureInfo.InvariantCulture));
        return new JournalSample((long)n[0], n[1], n[2], n[3], words.Length > 4 && words[4].Length > 0 ? Distribution.Parse(words[4])
            : null);
    }

    private JournalSample Round(string name, int milliseconds) => Sample(Ask("run", name, milliseconds));

    private string Ask(params object[] order)
    {
        _worker.Go(order);
        string answer = _worker.Done();
        return answer.StartsWith("fault", StringComparison.Ordinal) ? throw new LoadException($"{string.Join(' ', order)}: {answer}")
            : answer;
    }

    /// <summary>One open journal of the process.</summary>
    internal sealed class Rival(JournalProcess process, string name, string backEnd) : IJournalRival
    {
        private bool _closed;

        public string Name => name;

        /// <summary>Gets the back end that was chosen, and why.</summary>
        public string BackEnd => backEnd;

        public JournalSample Run(int milliseconds) => process.Round(name, milliseconds);

        /// <summary>Closes it; every record kept is read and checked.</summary>
        /// <exception cref="LoadException">One is lost, doubled, moved or changed.</exception>
        public void Close()
        {
            _closed = true;
            process.Ask("close", name);
        }

        public void Dispose()
        {
            if (!_closed)
            {
                Close();
                Directory.Delete(process.PathOf(name), recursive: true);
            }
        }
    }
}
