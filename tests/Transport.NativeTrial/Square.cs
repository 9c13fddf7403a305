using System.Collections.Generic;
using System.Threading.Tasks;
using Transport;

namespace Transport.NativeTrial;

/// <summary>A request that is a struct, whose response and report are too: what is found out of a packet's type at run time must have been
/// compiled ahead for them.</summary>
[Packet(1110)]
public readonly partial record struct Square(int Side) : IRequest<Area>;

/// <summary>The same with a stream.</summary>
[Packet(1111)]
public readonly partial record struct Squares(int Sides) : IStreamRequest<Area>;

/// <summary>A response, a report, an item.</summary>
[Packet(1112)]
public readonly partial record struct Area(long Value)
{
    /// <summary>The areas of squares with sides from 1 on.</summary>
    public static async IAsyncEnumerable<Area> Of(int sides)
    {
        for (int i = 1; i <= sides; i++)
        {
            await Task.Yield();
            yield return new Area(i * i);
        }
    }
}
