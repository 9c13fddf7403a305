using System;
using System.IO;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Children;

/// <summary>What a child is given, and what is said if there can be none.</summary>
[NonParallelizable] // it counts children of the process
public sealed class StartTests
{
    private TestFolder _own = null!;

    private string Folder => _own.Path;

    [SetUp]
    public void MakeFolder() => _own = new TestFolder();

    [TearDown]
    public void RemoveFolder() => _own.Dispose();

    /// <summary>By its own executable, by a runtime (dotnet App.dll, mono App.exe), and by itself a second time.</summary>
    [TestCase("exit", "7")]
    [TestCase("again", "exit", "7")]
    public async Task A_program_starts_itself_however_it_was_started(params string[] arguments)
    {
        WorkerStartOptions byRuntime = TestHost.Start(["again", .. arguments]);
        ProcessExit exit = await ChildProcess.Start(byRuntime.With(output: _ => { })).WaitForExitAsync().Within("its end");
        Assert.That(exit.ExitCode, Is.EqualTo(7), exit.ToString());
        string executable = Path.ChangeExtension(TestHost.Find(TestHost.Own), null);
        if (File.Exists(executable))
        {
            var byItself = new WorkerStartOptions(executable, ["again", .. arguments]);
            exit = await ChildProcess.Start(byItself.With(output: _ => { })).WaitForExitAsync().Within("its end");
            Assert.That(exit.ExitCode, Is.EqualTo(7), exit.ToString());
        }
    }

    [TestCase("no-such-program-anywhere", "PATH")]
    [TestCase("./no/such/program", "no/such/program")]
    public void Not_found(string name, string named)
    {
        TransportException error = Refused(new WorkerStartOptions(name));
        Assert.That(error.Code, Is.EqualTo("not-found"));
        Assert.That(error.Message, Does.Contain(named));
    }

    [TestCase("text, no permission", "#!/bin/sh\n", false)]
    [TestCase("no first line", "echo hello\n", true)]
    [TestCase("missing interpreter", "#!/no/such/interpreter\n", true)]
    public void Not_executable(string what, string content, bool permitted)
    {
        string file = Script("script", content, permitted);
        TransportException error = Refused(new WorkerStartOptions(file));
        Assert.That(error.Code, Is.EqualTo("not-executable"), what);
        Assert.That(error.Message, Does.Contain(file));
    }

    [Test]
    public void Folder_is_not_executable() =>
        Assert.That(Refused(new WorkerStartOptions(Folder)).Code, Is.EqualTo("not-executable"));

    [Test]
    public void Missing_working_folder_is_named_and_not_taken_for_a_missing_program()
    {
        TransportException error = Refused(new WorkerStartOptions("/bin/sh") { WorkingDirectory = Folder + "/missing" });
        Assert.That(error.Code, Is.EqualTo("other"));
        Assert.That(error.Message, Does.Contain("/missing"));
    }

    [Test]
    public void A_child_for_which_there_is_no_thread_is_not_started_and_the_limit_is_named()
    {
        if (SocketPath.IsWindows)
        {
            Assert.Ignore("It is started by the runtime there.");
        }

        int children = ProcessTable.Children();
        IChild? child = UnixChild.TryStart(
            Shell.Command("exec sleep 100"),
            new OutputSink(null),
            new OomLedger(),
            EndWatch.Open,
            out StartError? error,
            static _ => throw new InvalidOperationException("no thread"));
        using (Assert.EnterMultipleScope())
        {
            Assert.That(child, Is.Null);
            Assert.That(error?.ToException().Fault, Is.EqualTo(TransportFault.StartFailed));
            Assert.That(error?.Message, Does.Contain("/bin/sh").And.Contain("ulimit -u"));
            Assert.That(ProcessTable.Children(), Is.LessThanOrEqualTo(children), "no orphan");
        }
    }

    /// <summary>What escaped from the child's thread ended the main node.</summary>
    [Test]
    public async Task An_unexpected_exception_of_a_childs_thread_loses_its_output_by_name_and_not_its_end()
    {
        if (SocketPath.IsWindows)
        {
            Assert.Ignore("The runtime follows it there.");
        }

        var sink = new OutputSink(null);
        IChild child = UnixChild.TryStart(
            Shell.Command("exit 7"), sink, new OomLedger(), static _ => throw new InvalidOperationException("unexpected"), out _)!;
        ProcessExit end = await child.Ended.Within("the end").ConfigureAwait(false);
        Assert.That((end.ToString(), sink.Fault?.Message), Is.EqualTo(("exit 7", "unexpected")));
    }

    [Test]
    public void What_cannot_be_handed_over_is_refused_all_at_once()
    {
        var start = new WorkerStartOptions("sh", "a\0b") { Environment = { ["x=y"] = "1" } };
        ArgumentException thrown = Assert.Throws<ArgumentException>(() => ChildProcess.Start(start))!;
        Assert.That(thrown.Message, Does.Contain("Arguments[0]").And.Contain("x=y"));
    }

    [Test]
    public async Task Path_is_the_childs()
    {
        Script("only-here", "#!/bin/sh\necho found $0\n", permitted: true);
        Script("shadowed", "echo no\n", permitted: false);
        string path = Folder + ":/bin:/usr/bin";
        var start = new WorkerStartOptions("only-here") { Environment = { ["PATH"] = path } };
        (_, Lines lines) = await Shell.Run(start).ConfigureAwait(false);
        Assert.That(lines.Of(isError: false), Is.EqualTo(new[] { $"found {Folder}/only-here" }));
        TransportException error = Refused(new WorkerStartOptions("shadowed") { Environment = { ["PATH"] = path } });
        Assert.That(error.Code, Is.EqualTo("not-executable"));
    }

    [Test]
    public async Task Arguments_arrive_as_they_are()
    {
        string[] odd = ["", "a b", "\"quoted\"", "$HOME", "back\\slash", "ä€😀", "line\nbreak"];
        (_, Lines lines) = await Shell.Run(new WorkerStartOptions("/usr/bin/printf", ["[%s]", .. odd])).ConfigureAwait(false);
        Assert.That(string.Join("\n", lines.Of(isError: false)), Is.EqualTo("[" + string.Join("][", odd) + "]"));
    }

    [Test]
    public async Task Environment_is_set_and_removed()
    {
        WorkerStartOptions start = Shell.Command("echo ${NEW-none} ${HOME-none}");
        start.Environment["NEW"] = "ä b";
        start.Environment["HOME"] = null;
        (_, Lines lines) = await Shell.Run(start).ConfigureAwait(false);
        Assert.That(lines.Of(isError: false), Is.EqualTo(new[] { "ä b none" }));
    }

    [Test]
    public async Task Working_folder_is_the_one_asked_for()
    {
        WorkerStartOptions start = Shell.Command("pwd -P");
        start.WorkingDirectory = Folder;
        (_, Lines lines) = await Shell.Run(start).ConfigureAwait(false);
        Assert.That(lines.Of(isError: false)[0], Does.EndWith(Path.GetFileName(Folder)));
    }

    [Test]
    public async Task Standard_input_is_empty()
    {
        (ProcessExit end, Lines lines) = await Shell.Run("cat; readlink /proc/$$/fd/0").ConfigureAwait(false);
        Assert.That(end.IsSuccess, Is.True);
        Assert.That(lines.Of(isError: false), Is.EqualTo(new[] { "/dev/null" }));
    }

    [Test]
    public async Task Standard_input_is_inherited_where_asked_for()
    {
        WorkerStartOptions reader = TestHost.Start("read-input");
        (_, Lines lines) = await Shell.Run($"echo hello | {reader.FileName} {string.Join(" ", reader.Arguments)}").ConfigureAwait(false);
        Assert.That(lines.Of(isError: false), Is.EqualTo(new[] { "read hello" }));
    }

    private static TransportException Refused(WorkerStartOptions start)
    {
        TransportException error = Assert.Throws<TransportException>(() => ChildProcess.Start(start))!;
        Assert.That(error.Fault, Is.EqualTo(TransportFault.StartFailed));
        return error;
    }

    private string Script(string name, string content, bool permitted)
    {
        string file = Path.Combine(Folder, name);
        File.WriteAllText(file, content);
        using var chmod = System.Diagnostics.Process.Start("/bin/chmod", (permitted ? "755 " : "644 ") + file)!;
        chmod.WaitForExit();
        return file;
    }
}
