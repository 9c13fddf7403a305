using System.CommandLine;
using System.Globalization;
using System.Linq;

namespace Transport.Tool;

/// <summary>Which of a journal's builds a command is about.</summary>
/// <param name="Number">Its number, from 1; null: the newest, or all.</param>
/// <param name="IsAll">Whether all of them are meant.</param>
internal readonly record struct BuildChoice(int? Number, bool IsAll)
{
    /// <summary>Gets the newest build: the one that began last.</summary>
    public static BuildChoice Newest => default;

    /// <summary>Gets all builds.</summary>
    public static BuildChoice All => new(null, true);

    /// <summary>Makes the option <c>--build</c>.</summary>
    public static Option<string?> Option()
    {
        var option = new Option<string?>("--build")
        {
            Description = "Which build of a journal that holds several: its number from 1, or all; by default the newest.",
        };
        option.Validators.Add(result => JournalCommands.Check(
            result, TryParse(result.Tokens.LastOrDefault()?.Value, out _), "the number of a build, 1 or more, or all"));
        return option;
    }

    /// <summary>Reads the option's value.</summary>
    public static BuildChoice Of(string? word) => TryParse(word, out BuildChoice choice) ? choice : Newest;

    private static bool TryParse(string? word, out BuildChoice choice)
    {
        choice = word == "all" ? All : default;
        if (choice.IsAll || !int.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out int number) || number == 0)
        {
            return choice.IsAll;
        }

        choice = new(number, false);
        return true;
    }
}
