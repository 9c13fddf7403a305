using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;

namespace Transport.Nats;

/// <summary>
/// The file <c>origin</c> beside a received journal: which position each of its packets has in the journal that it comes from. Positions
/// run on by one, so a line stands only where they do not; it is on the disk before the packet is appended.
/// </summary>
/// <remarks>
/// <code>
/// transport-origin 1 0f3c…            the journal that the packets come from
/// run 1 1                             the 1st packet here has position 1 there, the next one 2, and so on
/// run 5001 9001                       the 5,001st has 9,001
/// gap 5001 9000 overtaken             from there to there nothing came
/// mark 4000 4100                      the 4,000th packet has position 4,100 here: counting may begin behind it
/// </code>
/// A line without its end was not finished, and what it says had not happened.
/// </remarks>
internal sealed class Origin : IDisposable
{
    private const string Head = "transport-origin 1 ";

    private readonly FileStream _file;
    private readonly SortedList<long, long> _runs = [];   // by number the position; 1 and up
    private readonly List<JournalGap> _gaps = [];

    private Origin(FileStream file) => _file = file;

    /// <summary>Gets what did not come.</summary>
    public IReadOnlyList<JournalGap> Gaps => _gaps;

    /// <summary>Gets how many positions did not come.</summary>
    public long Missed
    {
        get
        {
            long missed = 0;
            foreach (JournalGap gap in _gaps)   // looked at with each flush: without an allocation
            {
                missed += gap.To - gap.From + 1;
            }

            return missed;
        }
    }

    /// <summary>Gets the newest mark: a number, and the position of that packet here; zeros if there is none.</summary>
    public (long Number, long Here) Mark { get; private set; }

    /// <summary>Opens the file, or makes it.</summary>
    /// <param name="directory">The journal's directory.</param>
    /// <param name="journal">The journal that the packets come from.</param>
    /// <param name="hasPackets">Whether there are packets already: then the file must be there.</param>
    /// <exception cref="FleetException"><see cref="FleetFault.OriginUnknown"/>: it says nothing that can be used.</exception>
    /// <exception cref="IOException">It cannot be read or written.</exception>
    /// <exception cref="UnauthorizedAccessException">As above.</exception>
    public static Origin Open(string directory, Guid journal, bool hasPackets)
    {
        string path = Path.Combine(directory, "origin");
        var file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.Read);
        var origin = new Origin(file);
        try
        {
            origin.Load(path, journal, hasPackets);
            return origin;
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>Returns the position there of a packet.</summary>
    /// <param name="number">Its number here, from 1 on; 0: 0.</param>
    public long PositionOf(long number)
    {
        for (int i = _runs.Count - 1; i >= 0; i--)
        {
            if (_runs.Keys[i] <= number)
            {
                return _runs.Values[i] + (number - _runs.Keys[i]);
            }
        }

        return 0;
    }

    /// <summary>Says which position the next packet has, if that does not follow from the one before.</summary>
    /// <param name="number">Its number.</param>
    /// <param name="position">Its position there.</param>
    public void Next(long number, long position)
    {
        if (number > 1 ? PositionOf(number) == position : _runs.TryGetValue(1, out long first) && first == position)
        {
            return;
        }

        // Of packets that a power cut took away again there may be lines beyond.
        while (_runs.Count > 0 && _runs.Keys[^1] >= number)
        {
            _runs.RemoveAt(_runs.Count - 1);
        }

        Append(FormattableString.Invariant($"run {number} {position}"));
        _runs[number] = position;
    }

    /// <summary>Forgets gaps that were noted and not passed: a receiver that ended between the two has asked again, or will.</summary>
    /// <param name="number">The number of the last packet here.</param>
    public void ForgetUnpassed(long number) => _gaps.RemoveAll(gap => gap.From > PositionOf(number) || HasAny(gap, number));

    /// <summary>Notes what did not come, once.</summary>
    public void Miss(JournalGap gap)
    {
        if (!_gaps.Contains(gap))
        {
            Append(FormattableString.Invariant($"gap {gap.From} {gap.To} {TerminalText.Line(gap.Reason)}"));
            _gaps.Add(gap);
            Listeners.Count(FarmMeter.Gaps);
        }
    }

    /// <summary>Notes up to where packets need not be counted again; that one must be on the disk.</summary>
    public void MarkAt(long number, long here)
    {
        Append(FormattableString.Invariant($"mark {number} {here}"));
        Mark = (number, here);
    }

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();

    private bool HasAny(JournalGap gap, long number)
    {
        for (int i = 0; i < _runs.Count && _runs.Keys[i] <= number; i++)
        {
            long next = i + 1 < _runs.Count ? Math.Min(_runs.Keys[i + 1], number + 1) : number + 1;
            if (_runs.Values[i] <= gap.To && _runs.Values[i] + (next - _runs.Keys[i]) > gap.From)
            {
                return true;
            }
        }

        return false;
    }

    private void Load(string path, Guid journal, bool hasPackets)
    {
        string expected = Head + Words.Of(journal);
        string text = new StreamReader(_file).ReadToEnd();
        int end = text.LastIndexOf('\n') + 1;
        string[] lines = text[..end].Split('\n', StringSplitOptions.RemoveEmptyEntries);
        if (lines.Length == 0 && !hasPackets)
        {
            _file.SetLength(0);
            Append(expected);
            return;
        }

        if (lines.Length == 0 || lines[0] != expected)
        {
            throw new FleetException(FleetFault.OriginUnknown,
                $"{path} does not begin with \"{expected}\": up to where that journal was received is unknown. Receive into another "
                    + "folder.");
        }

        for (int i = 1; i < lines.Length; i++)
        {
            if (!TryTake(lines[i].Split(' ', 4)))
            {
                throw new FleetException(FleetFault.OriginUnknown,
                    $"Line {i + 1} of {path} is none of its lines: up to where that journal was received is unknown. Receive into another "
                        + "folder.");
            }
        }

        _file.SetLength(end);
        _file.Position = end;
    }

    private bool TryTake(string[] words)
    {
        if (words.Length < 3 || !TryNumber(words[1], out long first) || !TryNumber(words[2], out long second))
        {
            return false;
        }

        switch (words[0])
        {
            case "run" when first > 0:
                while (_runs.Count > 0 && _runs.Keys[^1] >= first)
                {
                    _runs.RemoveAt(_runs.Count - 1);
                }

                _runs[first] = second;
                return true;
            case "gap":
                var gap = new JournalGap(first, second, words.Length > 3 ? words[3] : string.Empty);
                if (!_gaps.Contains(gap))
                {
                    _gaps.Add(gap);
                }

                return true;
            case "mark":
                Mark = (first, second);
                return true;
            default:
                return false;
        }
    }

    private static bool TryNumber(string word, out long number) =>
        long.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out number);

    private void Append(string line)
    {
        _file.Write(System.Text.Encoding.UTF8.GetBytes(line + "\n"));
        _file.Flush(flushToDisk: true);
    }
}
