using System.Runtime.CompilerServices;

namespace Transport.Journal;

/// <summary>Sees every valid record of a scan, in order.</summary>
internal interface IRecordVisitor
{
    void Visit(RecordScanner at);
}

/// <summary>How the few loops that read whole journals are compiled.</summary>
internal static class HotPath
{
    /// <summary>
    /// At once with all optimizations (MethodImplOptions.AggressiveOptimization, which netstandard2.0 has no name for; Mono passes it
    /// over). A journal is mostly read once in a process, and the quick
    /// code that a runtime begins with takes ten times as long for each record.
    /// </summary>
    public const MethodImplOptions CompiledWhole = (MethodImplOptions)512;
}
