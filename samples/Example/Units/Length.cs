using System.Globalization;

namespace Units
{
    /// <summary>A length in metres.</summary>
    public readonly struct Length
    {
        public Length(double metres) => Metres = metres;

        public double Metres { get; }

        public override string ToString() => Metres.ToString("0.00 m", CultureInfo.InvariantCulture);
    }
}
