using Transport.Journal.Reading;

namespace Transport.Journal.Recovery;

/// <summary>Sees every sound record of a scan, in order.</summary>
internal interface IRecordVisitor
{
    void Visit(RecordScanner at);
}
