using System;
using System.Linq;

namespace Transport.Journal;

/// <summary>Counts what a journal holds.</summary>
internal sealed class SurveyCount : IRecordVisitor
{
    private readonly NodeTable<Group> _groups = new();
    private long _bodyBytes;
    private long _earliest = long.MaxValue;
    private long _latest = long.MinValue;
    private int _openings;
    private OpenNotes _open;
    private CommitNotes? _notes;

    /// <summary>Gets what the names were found to be.</summary>
    public NodeNames Names { get; } = new();

    public void Visit(RecordScanner at)
    {
        switch (at.Kind)
        {
            case RecordKind.Packet:
                Count(at);
                break;
            case RecordKind.Open:
                _openings++;
                _open = OpenNotes.From(at.Body.Span);
                _notes = null;
                break;
            case RecordKind.Mark or RecordKind.Close:
                _notes = CommitNotes.From(at.Body.Span);
                break;
        }
    }

    public JournalSurvey ToSurvey(JournalReport report, Guid id) => new()
    {
        Report = report,
        Id = id,
        BodyBytes = _bodyBytes,
        Earliest = _earliest == long.MaxValue ? null : RecordTime.From(_earliest),
        Latest = _latest == long.MinValue ? null : RecordTime.From(_latest),
        Counts =
        [
            .. _groups.Values.OrderByDescending(g => g.Packets).ThenBy(g => g.Name, StringComparer.Ordinal).ThenBy(g => g.Type)
                .Select(g => new JournalCount { Node = g.Name, Type = g.Type, Packets = g.Packets, BodyBytes = g.BodyBytes }),
        ],
        Openings = _openings,
        BackEnd = _openings > 0 && _open.BackEnd?.Length > 0 ? _open.BackEnd : null,
        Sync = _openings > 0 ? _open.Sync : null,
        Commits = _notes?.Commits,
    };

    private void Count(RecordScanner at)
    {
        RecordHeader header = at.Header;
        Group? group = _groups.Find(at.Node, header.Type);
        if (group is null)
        {
            group = new Group(Names.Shown(at.Node, header.Position), header.Type);
            _groups.Add(at.Node, header.Type, group);
        }

        group.Packets++;
        group.BodyBytes += header.Length;
        _bodyBytes += header.Length;
        _earliest = Math.Min(_earliest, header.Time);
        _latest = Math.Max(_latest, header.Time);
    }

    private sealed class Group(string name, ushort type)
    {
        public string Name => name;

        public ushort Type => type;

        public long Packets { get; set; }

        public long BodyBytes { get; set; }
    }
}
