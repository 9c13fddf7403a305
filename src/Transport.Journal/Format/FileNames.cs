using System;
using System.Globalization;

namespace Transport.Journal;

/// <summary>The names in a journal's directory (docs/reference/journal-format.md).</summary>
internal static class FileNames
{
    public const string Lock = "lock";
    public const string Spare = "spare-";
    public const string SpareTorn = Spare + "torn";
    public const string SegmentEnd = ".segment";
    public const string TornEnd = ".torn";
    public const string FailedEnd = ".failed";
    public const string DroppedEnd = ".dropped";
    public const string Damaged = "damaged-";

    private const int Digits = 10;

    public static string Segment(long sequence) => Number(sequence) + SegmentEnd;

    public static string Torn(long sequence, long offset) => Number(sequence) + "-" + Number(offset) + TornEnd;

    public static string Failed(long sequence) => Number(sequence) + FailedEnd;

    public static string Dropped(long sequence) => Number(sequence) + DroppedEnd;

    /// <summary>Reads a segment's number from its name.</summary>
    public static bool IsSegment(string name, out long sequence) => HasNumber(name, SegmentEnd, out sequence);

    public static bool IsFailed(string name, out long sequence) => HasNumber(name, FailedEnd, out sequence);

    public static bool IsDropped(string name, out long sequence) => HasNumber(name, DroppedEnd, out sequence);

    public static bool IsSpare(string name) => string.Equals(name, SpareTorn, StringComparison.Ordinal)
        || HasNumberBehind(name, Spare, out _);

    /// <summary>Returns which one it is of what was set aside.</summary>
    public static bool IsDamaged(string name, out int number) => HasNumberBehind(name, Damaged, out number);

    public static bool IsTorn(string name) => name.Length > Digits && name.EndsWith(TornEnd, StringComparison.Ordinal)
        && name.IndexOf('-') >= Digits;

    /// <summary>Whether a journal may have put it there; everything else is somebody else's, and stays as it is.</summary>
    public static bool IsOurs(string name) =>
        string.Equals(name, Lock, StringComparison.Ordinal) || IsSpare(name) || IsDamaged(name, out _) || IsRecords(name);

    /// <summary>Whether it holds records, or describes them: what goes along when a journal is set aside.</summary>
    public static bool IsRecords(string name) => IsSegment(name, out _) || IsTorn(name) || IsFailed(name, out _)
        || IsDropped(name, out _);

    private static bool HasNumberBehind(string name, string begin, out int number)
    {
        number = 0;
        return name.StartsWith(begin, StringComparison.Ordinal)
            && int.TryParse(name.Substring(begin.Length), NumberStyles.None, CultureInfo.InvariantCulture, out number);
    }

    private static string Number(long number) => number.ToString("D10", CultureInfo.InvariantCulture);

    private static bool HasNumber(string name, string end, out long number)
    {
        number = 0;
        return name.Length >= Digits + end.Length && name.EndsWith(end, StringComparison.Ordinal)
            && long.TryParse(name.Substring(0, name.Length - end.Length), NumberStyles.None, CultureInfo.InvariantCulture, out number)
                && number > 0 && Segment(number).Length == name.Length - end.Length + SegmentEnd.Length;
    }
}
