namespace Transport;

/// <summary>Remembers what came lately, by hash, so that what comes once does not get into a table. It may take one for another; that costs an entry and nothing else.</summary>
internal sealed class Doorkeeper
{
    private const int Places = 4096;

    private int[]? _seen;

    public bool SeenBefore(int hash)
    {
        _seen ??= new int[Places];
        ref int seen = ref _seen[hash & (Places - 1)];
        bool before = seen == hash;
        seen = hash;
        return before;
    }
}
