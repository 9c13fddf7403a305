namespace Transport.Journal;

/// <summary>Sees every sound record of a scan, in order.</summary>
internal interface IRecordVisitor
{
    void Visit(RecordScanner at);
}
