using System;

namespace Transport.Files.Tests.Kit;

/// <summary>Modes as people write them.</summary>
internal static class Octal
{
    public static int Mode(string digits) => Convert.ToInt32(digits, 8);

    public static string Of(int mode) => Convert.ToString(mode, 8);
}
