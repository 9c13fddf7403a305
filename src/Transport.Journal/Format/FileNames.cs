using System;
using System.Globalization;

namespace Transport.Journal.Format;

/// <summary>The names in a journal's directory (docs/journal-format.md).</summary>
internal static class FileNames
{
    public const string Lock = "lock";
    public const string Spare = "spare-";
    public const string SpareTorn = Spare + "torn";
    public const string SegmentEnd = ".segment";
    public const string TornEnd = ".torn";
    public const string FailedEnd = ".failed";
    public const string Damaged = "damaged-";

    private const int Digits = 10;

    public static string Segment(long sequence) => Number(sequence) + SegmentEnd;

    public static string Torn(long sequence, long offset) => Number(sequence) + "-" + Number(offset) + TornEnd;

    public static string Failed(long sequence) => Number(sequence) + FailedEnd;

    /// <summary>Tells a segment's number from its name.</summary>
    public static bool IsSegment(string name, out long sequence) => HasNumber(name, SegmentEnd, out sequence);

    public static bool IsFailed(string name, out long sequence) => HasNumber(name, FailedEnd, out sequence);

    public static bool IsSpare(string name) => name.StartsWith(Spare, StringComparison.Ordinal);

    private static string Number(long number) => number.ToString("D10", CultureInfo.InvariantCulture);

    private static bool HasNumber(string name, string end, out long number)
    {
        number = 0;
        return name.Length >= Digits + end.Length && name.EndsWith(end, StringComparison.Ordinal)
            && long.TryParse(name.Substring(0, name.Length - end.Length), NumberStyles.None, CultureInfo.InvariantCulture, out number) && number > 0 && Segment(number).Length == name.Length - end.Length + SegmentEnd.Length;
    }
}
