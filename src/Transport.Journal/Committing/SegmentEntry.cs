namespace Transport.Journal;

/// <summary>A segment that is there.</summary>
internal sealed class SegmentEntry(string name, in SegmentHeader header)
{
    public string Name { get; } = name;

    public long Sequence { get; } = header.Sequence;

    public long FirstPosition { get; } = header.FirstPosition;

    public long Length { get; } = header.Length;

    /// <summary>Gets or sets the last position in it, once another one follows.</summary>
    public long LastPosition { get; set; }

    /// <summary>Gets or sets the time of its last packet, once another one follows.</summary>
    public long LastTime { get; set; }

    /// <summary>Gets or sets how many readers of this journal are in it: it is then not used again.</summary>
    public int Readers { get; set; }

    /// <summary>Whether it need not be kept.</summary>
    /// <param name="retention">What is to be kept.</param>
    /// <param name="now">The time, in ticks as <see cref="LastTime"/>.</param>
    /// <param name="total">The bytes of all segments there are.</param>
    public bool MayGo(JournalRetention retention, long now, long total)
    {
        if (retention.Watermark is { } mark)
        {
            if (LastPosition >= mark)
            {
                return false;
            }

            if (retention is { MaxBytes: null, MaxAge: null })
            {
                return true;
            }
        }

        return total > (retention.MaxBytes ?? long.MaxValue) || (retention.MaxAge is { } age && now - LastTime >= age.Ticks);
    }
}
