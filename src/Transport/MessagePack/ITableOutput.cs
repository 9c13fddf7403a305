namespace Transport;

/// <summary>A buffer whose packet may refer to tables; <see cref="PacketWriter"/> looks for it behind the buffer that a formatter is
/// given.</summary>
internal interface ITableOutput
{
    /// <summary>Gets the tables that the packet being written may use and add to; null: it writes everything out.</summary>
    TableSink? Tables { get; }
}
