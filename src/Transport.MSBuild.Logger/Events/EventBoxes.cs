namespace Transport.MSBuild;

/// <summary>Numbers and flags as objects; the common ones are made once.</summary>
internal static class EventBoxes
{
    private const int First = -1, Count = 1026;
    private static readonly object[] Numbers = Make();
    private static readonly object True = true, False = false;

    public static object Of(bool value) => value ? True : False;

    public static object Of(long value) => (ulong)(value - First) < Count ? Numbers[value - First] : value;

    private static object[] Make()
    {
        var numbers = new object[Count];
        for (int i = 0; i < Count; i++)
        {
            numbers[i] = (long)(i + First);
        }

        return numbers;
    }
}
