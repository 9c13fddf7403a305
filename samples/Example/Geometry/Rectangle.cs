using Units;

namespace Geometry;

/// <summary>A rectangle.</summary>
public sealed record Rectangle(Length Width, Length Height)
{
    public double SquareMetres => Width.Metres * Height.Metres;
}
