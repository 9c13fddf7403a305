using System.Threading.Tasks;

namespace Transport.Chaos.Days;

/// <summary>One round: a user's day, played at random. What its parties have seen is in files of facts, which a judge reads.</summary>
internal interface IDay
{
    Task RunAsync();
}
