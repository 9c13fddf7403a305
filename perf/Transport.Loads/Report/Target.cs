using System.Globalization;
using Transport.Loads.Measuring;

namespace Transport.Loads.Report;

/// <summary>What a target speaks of.</summary>
internal enum TargetKind
{
    /// <summary>The quotient of two columns of the same round.</summary>
    Ratio,

    /// <summary>The difference of two columns of the same round.</summary>
    Difference,

    /// <summary>The value itself.</summary>
    Value,
}

/// <summary>A target: it holds if the whole 90 % interval of the median does (a quick run: the median).</summary>
/// <param name="Kind">What it speaks of.</param>
/// <param name="IsLeast">True: at least; false: at most.</param>
/// <param name="Limit">The limit of a full run.</param>
/// <param name="Wide">The limit of a quick run, whose few short rounds only show that nothing is badly wrong: ten times wider for
/// quotients, else chosen for each target.</param>
internal sealed record Target(TargetKind Kind, bool IsLeast, double Limit, double Wide)
{
    public static Target AtLeast(double ratio) => new(TargetKind.Ratio, IsLeast: true, ratio, ratio / 10);

    public static Target AtMost(double ratio) => new(TargetKind.Ratio, IsLeast: false, ratio, ratio * 10);

    public static Target MoreByAtMost(double difference, double wide) => new(TargetKind.Difference, IsLeast: false, difference, wide);

    /// <summary>At most a number that the machine's mood does not change, as bytes: the same limit in a quick run.</summary>
    public static Target ValueAtMost(double value) => new(TargetKind.Value, IsLeast: false, value, value);

    public static Target ValueAtMost(double value, double wide) => new(TargetKind.Value, IsLeast: false, value, wide);

    public static Target ValueAtLeast(double value, double wide) => new(TargetKind.Value, IsLeast: true, value, wide);

    public bool Holds(Interval interval, bool quick)
    {
        double limit = quick ? Wide : Limit;
        if (quick)
        {
            return IsLeast ? interval.Median >= limit : interval.Median <= limit;   // so few rounds have no interval worth the name
        }

        return IsLeast ? interval.Low >= limit : interval.High <= limit;
    }

    public string Text(bool quick, string? against)
    {
        string limit = string.Create(CultureInfo.InvariantCulture, $"{(IsLeast ? ">=" : "<=")} {(quick ? Wide : Limit):0.###}");
        return Kind switch
        {
            TargetKind.Ratio => $"{limit} x {against}",
            TargetKind.Difference => $"{limit} over {against}",
            _ => limit,
        };
    }
}
