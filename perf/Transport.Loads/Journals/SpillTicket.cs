using System.IO;
using Transport.Journal;

namespace Transport.Loads.Journals;

/// <summary>How a worker learns of endpoint and secret for its next link: a file that the main node puts into a folder and the worker takes
/// away.</summary>
internal static class SpillTicket
{
    private const string Name = "ticket";

    public static bool IsThere(string folder) => File.Exists(Path.Combine(folder, Name));

    /// <summary>Puts a ticket there.</summary>
    public static void Put(string folder, WireEndpoint endpoint, LinkSecret secret)
    {
        string made = Path.Combine(folder, "new");
        File.WriteAllText(made, endpoint + "\n" + secret.Reveal());
        File.Move(made, Path.Combine(folder, Name), overwrite: true);
    }

    public static void Withdraw(string folder) => File.Delete(Path.Combine(folder, Name));

    /// <summary>Takes the ticket away.</summary>
    /// <returns>What it says; null if there is none.</returns>
    public static SpillTarget? Take(string folder)
    {
        string taken = Path.Combine(folder, "taken");
        try
        {
            File.Move(Path.Combine(folder, Name), taken, overwrite: true);
        }
        catch (FileNotFoundException)
        {
            return null;
        }

        string[] lines = File.ReadAllLines(taken);
        return new SpillTarget(WireEndpoint.Parse(lines[0]), LinkSecret.Parse(lines[1]));
    }
}
