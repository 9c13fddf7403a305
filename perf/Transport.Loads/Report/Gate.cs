using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Transport.Loads.Report;

/// <summary>Committed values of rows that a run is compared with: a cost that grew is found by the machine, before anybody measures a page
/// again.</summary>
/// <remarks>A count must be equal. A quotient may be worse by the entry's share, and one that is better by as much is named, so that the
/// file follows. What was off is measured again by the caller: noise is off once, a change each time.</remarks>
internal sealed class Gate
{
    private static readonly JsonSerializerOptions s_format = new()
    {
        WriteIndented = true,
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
        RespectRequiredConstructorParameters = true,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingDefault,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) },
    };

    private readonly string _path;
    private readonly Content _content;
    private readonly Dictionary<Entry, string> _off = [];   // why
    private readonly List<string> _remarks = [];

    /// <summary>Initializes a new instance of the <see cref="Gate"/> class.</summary>
    /// <param name="path">The file.</param>
    /// <exception cref="LoadException">It cannot be read, or is no such file.</exception>
    public Gate(string path)
    {
        _path = path;
        try
        {
            _content = JsonSerializer.Deserialize<Content>(File.ReadAllText(path), s_format)!;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or JsonException)
        {
            throw new LoadException($"--gate {path} cannot be read: {e.Message.ReplaceLineEndings(" ")}");
        }

        if (_content?.Rows is not { Count: > 0 } rows
            || rows.Any(r => r.Share is < 0 or > 1 || (r.Better == Direction.Equal) != (r.Share == 0)))
        {
            throw new LoadException($"--gate {path} is no gate: expected rows, each with a name and a value, and with better and share "
                + "(above 0, at most 1) if it need not be equal.");
        }
    }

    /// <summary>Whether less or more of it is better.</summary>
    internal enum Direction
    {
        /// <summary>Neither: it is a count.</summary>
        Equal,

        /// <summary>Less.</summary>
        Lower,

        /// <summary>More.</summary>
        Higher,
    }

    /// <summary>Gets the scenarios of the entries that are off.</summary>
    public IEnumerable<string> ScenariosOff => _off.Keys.Select(e => e.Scenario).Distinct(StringComparer.Ordinal);

    /// <summary>Gets a value indicating whether none is off.</summary>
    public bool Holds => _off.Count == 0;

    /// <summary>Compares the rows of scenarios that were run; entries of others stay as they are.</summary>
    /// <param name="scenarios">The names of the scenarios.</param>
    /// <param name="rows">Their rows.</param>
    public void Compare(IReadOnlyCollection<string> scenarios, IReadOnlyList<Row> rows)
    {
        foreach (Entry entry in _content.Rows.Where(e => scenarios.Contains(e.Scenario, StringComparer.Ordinal)))
        {
            _off.Remove(entry);
            if (Value(rows, entry, out Row? row) is { } value)
            {
                Judge(entry, value);
            }
            else if (row is { Why: not null })
            {
                _remarks.Add($"gate: not measured: {entry.Row} ({row.Why})");
            }
            else
            {
                _off[entry] = $"{entry.Row} is no row of this run";
            }
        }
    }

    /// <summary>Says what was compared, and what is off.</summary>
    public IEnumerable<string> Lines() =>
        [.. _remarks.Distinct(StringComparer.Ordinal), .. _off.Values.Select(why => "gate: " + why),
            Holds ? $"The gate holds ({Path.GetFileName(_path)})."
            : $"The gate does not hold: {_off.Count} of {_content.Rows.Count} values are off. If that is meant, keep the new ones "
                + "(--gate FILE --keep-gate) and say why."];

    /// <summary>Returns a run's values of the entries that are quotients, those that it has.</summary>
    public IReadOnlyDictionary<string, double> QuotientsOf(IReadOnlyList<Row> rows) => _content.Rows
        .Where(e => e.Better != Direction.Equal && Value(rows, e, out _) is not null)
        .ToDictionary(e => e.Row, e => Rounded(e, Value(rows, e, out _)!.Value), StringComparer.Ordinal);

    /// <summary>Replaces the values by those of a run, of the rows that it has.</summary>
    /// <param name="stamp">When and where it was.</param>
    /// <param name="rows">Its rows.</param>
    public void Keep(RunStamp stamp, IReadOnlyList<Row> rows)
    {
        var kept = new Content($"{stamp.Date}, {stamp.Commit}, {stamp.Machine}",
            [.. _content.Rows.Select(e => e with { Value = Value(rows, e, out _) is { } value ? Rounded(e, value) : e.Value })]);
        File.WriteAllText(_path, JsonSerializer.Serialize(kept, s_format) + "\n");
    }

    /// <summary>A quotient of which 3 % are noise has no tenth digit.</summary>
    private static double Rounded(Entry entry, double value) => entry.Better == Direction.Equal ? value : Math.Round(value, 3);

    private static double? Value(IReadOnlyList<Row> rows, Entry entry, out Row? row)
    {
        row = rows.FirstOrDefault(r => r.Name == entry.Row);
        return row is null || row.Why is not null ? null : row.Compared?.Median ?? row.Median(Rivals.Column.Transport);
    }

    private void Judge(Entry entry, double value)
    {
        double worse = entry.Better == Direction.Higher ? entry.Value / value : value / entry.Value;
        bool isOff = entry.Better == Direction.Equal ? value != entry.Value : !(worse <= 1 + entry.Share);
        if (isOff)
        {
            string allowed = entry.Better == Direction.Equal ? "must be equal" : string.Create(CultureInfo.InvariantCulture,
                $"may be {entry.Share:0.#%} worse, {(entry.Better == Direction.Lower ? "lower" : "higher")} is better");
            _off[entry] = string.Create(
                CultureInfo.InvariantCulture, $"{entry.Row}: {value:0.######}, committed {entry.Value:0.######} ({allowed})");
        }
        else if (entry.Better != Direction.Equal && worse < 1 / (1 + entry.Share))
        {
            _remarks.Add(string.Create(CultureInfo.InvariantCulture,
                $"gate: {entry.Row}: {value:0.###} is far better than the committed {entry.Value:0.###}: keep it if it stays so"));
        }
    }

    /// <summary>One value.</summary>
    /// <param name="Row">The row's scenario and metric.</param>
    /// <param name="Value">What the row speaks of: its quotient, or the value itself.</param>
    /// <param name="Better">Which way is better.</param>
    /// <param name="Share">How much worse it may be; 0: it must be equal.</param>
    internal sealed record Entry(
        string Row,
        [property: JsonIgnore(Condition = JsonIgnoreCondition.Never)] double Value,
        Direction Better = Direction.Equal,
        double Share = 0)
    {
        /// <summary>Gets the row's scenario.</summary>
        [JsonIgnore]
        public string Scenario => Row.Split(':')[0];
    }

    /// <summary>The file.</summary>
    /// <param name="Measured">When, from which commit, on which machine.</param>
    /// <param name="Rows">The values.</param>
    private sealed record Content(string Measured, IReadOnlyList<Entry> Rows);
}
