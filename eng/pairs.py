"""What the programs that compare in pairs share: the median of the pairs' ratios, and how far it can be trusted."""
import random
import statistics


def interval(ratios, draws=4000):
    """The 90 % interval of the median, by bootstrap; the same for the same ratios."""
    seed = random.Random(1)
    medians = sorted(statistics.median(seed.choices(ratios, k=len(ratios))) for _ in range(draws))
    return medians[int(draws * 0.05)], medians[int(draws * 0.95)]


def say_rounds(what, ours, theirs, column):
    """Prints how one column of our rounds stands to theirs. Gives the median of the rounds' own ratios."""
    return say(what, [a[column] / b[column] for a, b in zip(ours, theirs)])


def say(what, ratios):
    """Prints the median with its interval. Gives the median."""
    low, high = interval(ratios)
    median = statistics.median(ratios)
    print(f"{what}: {median:.3f} x [{low:.3f}, {high:.3f}] of {len(ratios)} pairs", flush=True)
    return median
