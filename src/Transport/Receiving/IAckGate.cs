using System.Threading.Tasks;

namespace Transport;

/// <summary>Stands between "handled" and "acknowledged" if packets are stored: a number passes once the store says that it is safe. Safe
/// from any thread.</summary>
internal interface IAckGate
{
    /// <summary>Gets how many packets are handled and safe.</summary>
    long Safe { get; }

    /// <summary>Asks for so many packets, which are handled and were given to the store before.</summary>
    void Ask(long handled);

    /// <summary>Asks for so many packets, and waits for them.</summary>
    /// <returns>Whether they are safe; false: the store failed.</returns>
    Task<bool> SettleAsync(long handled);
}
