using System;
using System.Buffers.Binary;
using Transport.Files;

namespace BuildHarness.Archives.Zip;

/// <summary>When a zip entry was modified: Unix seconds from an extra field, or else DOS's local time in steps of two seconds.</summary>
internal static class ZipTime
{
    /// <param name="central">The entry.</param>
    /// <param name="local">The extra fields of its own header, which have more.</param>
    /// <param name="zone">What DOS's local time is taken for.</param>
    public static FileTime? Read(CentralHeader central, ReadOnlySpan<byte> local, TimeZoneInfo zone)
    {
        if (ZipExtra.Find(local, ZipExtra.Time, out ReadOnlySpan<byte> time) is null && time.Length >= 5 && (time[0] & 1) != 0)
        {
            return new FileTime(BinaryPrimitives.ReadInt32LittleEndian(time[1..]), 0);
        }

        // Before it, Info-ZIP had times of access and modification.
        return ZipExtra.Find(local, ZipExtra.OldUnix, out time) is null && time.Length >= 8
            ? new FileTime(BinaryPrimitives.ReadInt32LittleEndian(time[4..]), 0)
            : FromDos(central.DosTime, zone);
    }

    private static FileTime? FromDos(uint dos, TimeZoneInfo zone)
    {
        int year = 1980 + (int)(dos >> 25), month = (int)(dos >> 21) & 15, day = (int)(dos >> 16) & 31;
        int hour = (int)(dos >> 11) & 31, minute = (int)(dos >> 5) & 63, second = ((int)dos & 31) * 2;
        if (month is < 1 or > 12 || day < 1 || day > DateTime.DaysInMonth(year, month))
        {
            return null;
        }

        // Who rounds seconds up writes a sixtieth; unzip counts on, with hours and minutes too.
        DateTime moment = new DateTime(year, month, day, 0, 0, 0, DateTimeKind.Unspecified).AddHours(hour).AddMinutes(minute)
            .AddSeconds(second);

        // The hour that a clock put forward leaves out.
        moment = zone.IsInvalidTime(moment) ? moment.AddHours(1) : moment;
        return new FileTime(new DateTimeOffset(moment, zone.GetUtcOffset(moment)).ToUnixTimeSeconds(), 0);
    }
}
