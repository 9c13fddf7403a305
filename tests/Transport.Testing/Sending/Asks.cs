namespace Transport.Testing.Sending;

/// <summary>What a packet gets that asks for capacity.</summary>
internal static class Asks
{
    /// <summary>Gets an ask that is granted.</summary>
    public static CapacityAsk Granted => Of(new ByteBudget(long.MaxValue / 2), long.MaxValue / 2);

    /// <summary>Gets an ask of a full queue.</summary>
    public static CapacityAsk InVain
    {
        get
        {
            var full = new ByteBudget(limit: 1);
            full.TryTake(1, most: 1);
            return Of(full, most: 1);
        }
    }

    private static CapacityAsk Of(ByteBudget budget, long most) =>
        new(new Admission(budget, new WaitingLine(budget), new SendEnd()), Lane.Normal, most, waiter: null);
}
