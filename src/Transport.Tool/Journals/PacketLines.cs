using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Text;
using Transport.Journal;
using Transport.Logging;
using Transport.MSBuild;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>A journal's packets as lines: log packets as <c>run</c> shows them, build events as <c>build</c> does, and a word of all
/// others; numbers below 1024 that are neither only from detailed on.</summary>
internal sealed class PacketLines : IDisposable
{
    private const int FirstOfApplications = 1024;

    private readonly TextWriter _writer;
    private readonly ConsoleSink _sink;
    private readonly BuildVerbosity _verbosity;
    private readonly PacketCatalog _packets;
    private readonly HashSet<string> _nodes = new(StringComparer.Ordinal);
    private readonly StringBuilder _lines = new();

    /// <param name="stdout">Takes the lines; not owned.</param>
    /// <param name="verbosity">Which build events are shown.</param>
    /// <param name="packets">Names the types of all others.</param>
    public PacketLines(Stream stdout, BuildVerbosity verbosity, PacketCatalog packets)
    {
        _verbosity = verbosity;
        _packets = packets;
        _writer = new ShorteningWriter(new StreamWriter(stdout, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), 16 << 10,
            leaveOpen: true) { NewLine = "\n" }) { NewLine = "\n" };
        _sink = new ConsoleSink(_writer);
    }

    public void Show(in JournalRecord record)
    {
        _nodes.Add(record.Node);
        try
        {
            ShowKnown(record);
        }
        catch (TransportException)
        {
            Other(record.Node, record.Type, record.Body.Length);
        }
    }

    public void Flush() => _writer.Flush();

    public void Dispose()
    {
        // Lines that had begun and were never ended.
        foreach (string node in _nodes)
        {
            _sink.Complete(node);
        }

        _writer.Dispose();
    }

    private void ShowKnown(in JournalRecord record)
    {
        (string node, ushort type) = (record.Node, record.Type);
        if (type == LogEvent.PacketType.Id)
        {
            _sink.Write(node, record.Read(LogEvent.PacketType));
        }
        else if (type == OutputPacket.PacketType.Id)
        {
            _sink.Write(node, record.Read(OutputPacket.PacketType));
        }
        else if (type == ProgressPacket.PacketType.Id)
        {
            _sink.Write(node, record.Read(ProgressPacket.PacketType));
        }
        else if (type == BuildEvent.PacketType.Id)
        {
            Show(node, record.Read(BuildEvent.PacketType));
        }
        else
        {
            Other(node, type, record.Body.Length);
        }
    }

    private void Show(string node, BuildEvent one)
    {
        if (BuildEventText.LevelOf(one) > _verbosity)
        {
            return;
        }

        _lines.Clear();
        foreach (string line in TerminalText.Lines(BuildEventText.Of(one)))
        {
            if (line.Length > 0)
            {
                _lines.Append(node).Append(' ').Append(line).Append('\n');
            }
        }

        _writer.Write(_lines.ToString());   // one write for all: an event may have millions of lines
    }

    private void Other(string node, int type, long bytes)
    {
        // What a link or a build engine says to its other half means little to who watches.
        if (type >= FirstOfApplications || _verbosity >= BuildVerbosity.Detailed)
        {
            _writer.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{node} {_packets.NameOf(type)}: {Counted.Of(bytes, "byte")}"));
        }
    }
}
