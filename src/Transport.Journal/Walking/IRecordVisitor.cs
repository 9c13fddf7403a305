namespace Transport.Journal;

/// <summary>Sees every valid record of a scan, in order.</summary>
internal interface IRecordVisitor
{
    void Visit(RecordScanner at);
}
