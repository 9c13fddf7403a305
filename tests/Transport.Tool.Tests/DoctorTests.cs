using System.Threading.Tasks;
using NUnit.Framework;

namespace Transport.Tool.Tests;

internal sealed class DoctorTests
{
    [Test]
    public async Task It_reports_what_the_machine_gives_and_what_to_change()
    {
        ToolRun run = await ToolRun.Of("doctor");

        string all = string.Join('\n', run.Output);
        Assert.That(run.ExitCode, Is.EqualTo(all.Contains("change ", System.StringComparison.Ordinal) ? 1 : 0), all);
        Assert.That(all, Does.Contain("runtime: .NET ").And.Contain("endpoints: "));
        Assert.That(all, Does.Match(@"a link in this process: \d+ us there and back, [\d,]+ packets"));
        Assert.That(all, Does.Match(@"journal by write and sync: a durable record takes \d+\.\d\d ms at the median"));
        Assert.That(run.Errors, Is.Empty);
    }

    [Test]
    public async Task A_folder_that_is_not_there_is_one_line()
    {
        ToolRun run = await ToolRun.Of("doctor", "--folder", "/not/there");

        Assert.That((run.ExitCode, run.Errors.Length), Is.EqualTo((2, 1)));
        Assert.That(run.Errors[0], Does.Contain("--folder /not/there: there is no such folder."));
    }
}
