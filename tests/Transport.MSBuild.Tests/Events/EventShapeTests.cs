using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using Microsoft.Build.Framework;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.MSBuild.Tests.Events;

[TestFixture]
internal sealed class EventShapeTests
{
    private static readonly string[] Common = ["Timestamp", "ThreadId", "Message", "HelpKeyword", "SenderName", "BuildEventContext"];

    private static IEnumerable<Type> PublicKinds() =>
        typeof(BuildEventArgs).Assembly.GetExportedTypes().Where(t => typeof(BuildEventArgs).IsAssignableFrom(t));

    [TestCaseSource(nameof(PublicKinds))]
    public void Every_public_value_of_every_event_type_of_the_sdk_has_a_field(Type type)
    {
        EventShape shape = EventShapes.Of(type);
        IEnumerable<string> expected = type.GetProperties(BindingFlags.Public | BindingFlags.Instance).Select(p => p.Name)
            .Concat(type.GetFields(BindingFlags.Public | BindingFlags.Instance).Select(f => f.Name)).Distinct(StringComparer.Ordinal);

        IEnumerable<string> missing = expected.Except(Common, StringComparer.Ordinal)
            .Except(BuildEvent.FieldNames(shape.Kind), StringComparer.Ordinal);
        if (type.IsAbstract || shape.Type == type || type == typeof(LazyFormattedBuildEventArgs))
        {
            Assert.That(missing, Is.Empty, $"{type.Name} as {shape.Kind}");
        }
        else
        {
            Assert.Fail($"{type} has no shape of its own and would travel as {shape.Kind}.");
        }
    }

    [TestCase("full20.binlog")]
    [TestCase("noop20.binlog")]
    public void Each_field_holds_what_the_property_of_its_name_holds(string file)
    {
        var reader = new BuildEventReader();
        var seen = new Dictionary<Type, int>();
        var wrong = new List<string>();
        var source = new Microsoft.Build.Logging.BinaryLogReplayEventSource();
        source.AnyEventRaised += (_, args) =>
        {
            seen[args.GetType()] = seen.GetValueOrDefault(args.GetType()) + 1;
            if (seen[args.GetType()] <= 100)
            {
                wrong.AddRange(Compare(args, reader.Read(args)));
            }
        };
        source.Replay(Repository.Workload(file));

        Assert.That(seen, Has.Count.GreaterThan(15), "kinds of events in the file");
        Assert.That(wrong, Is.Empty);
    }

    [Test]
    public void A_type_that_no_shape_describes_keeps_its_name_and_its_values()
    {
        Type type = typeof(BuildEventArgs).Assembly.GetType("Microsoft.Build.Framework.GeneratedFileUsedEventArgs", throwOnError: true)!;
        BuildEvent read = new BuildEventReader().Read((BuildEventArgs)Activator.CreateInstance(type, "a.cs", "class A;")!);

        Assert.That(read.Kind, Is.EqualTo(BuildEventKind.Message));
        Assert.That(read.TypeName, Is.EqualTo(type.FullName));
        Assert.That(read.Values[^2..],
            Is.EqualTo(new object?[] { new object?[] { "Content", "class A;" }, new object?[] { "FilePath", "a.cs" } }));
    }

    /// <summary>Looks at MSBuild's object through reflection alone: knows nothing of the shapes.</summary>
    private static IEnumerable<string> Compare(BuildEventArgs args, BuildEvent read)
    {
        IReadOnlyList<string> names = BuildEvent.FieldNames(read.Kind);
        for (int i = 0; i < names.Count; i++)
        {
            if (args.GetType().GetProperty(names[i]) is not { } property)
            {
                continue;
            }

            string expected = Flat(property.GetValue(args));
            string came = Flat(read.Fields[i]);
            if (expected != came)
            {
                yield return $"{read.Kind}.{names[i]}: {came} for {expected}";
            }
        }
    }

    private static string Flat(object? value) => value switch
    {
        null => "-",
        string text => text,
        Enum named => Convert.ToInt64(named).ToString(),
        BuildEventContext c =>
            $"[{c.SubmissionId},{c.NodeId},{c.EvaluationId},{c.ProjectInstanceId},{c.ProjectContextId},{c.TargetId},{c.TaskId}]",
        Guid id => Convert.ToHexString(id.ToByteArray()),
        byte[] bytes => Convert.ToHexString(bytes),
        BuildEventMap map => "[" + string.Join(",", map.Entries.ToArray().Select(e => $"[{e.Key},{e.Value}]")) + "]",
        DictionaryEntry { Value: ITaskItem } entry => $"[{entry.Key},{FlatItem((ITaskItem)entry.Value!)}]",
        DictionaryEntry entry => $"[{entry.Key},{entry.Value}]",
        KeyValuePair<string, string> pair => $"[{pair.Key},{pair.Value}]",
        ITaskItem item => $"[-,{FlatItem(item)}]",
        RegisteredLoggerInfo logger => "[" + string.Join(",", logger.GetType().GetProperties().OrderBy(p => p.Name, StringComparer.Ordinal)
            .Select(p => $"[{p.Name},{Flat(p.GetValue(logger))}]")) + "]",
        IEnumerable list => "[" + string.Join(",", list.Cast<object?>().Select(Flat)) + "]",
        _ => Convert.ToString(value, System.Globalization.CultureInfo.InvariantCulture)!,
    };

    private static string FlatItem(ITaskItem item) => $"{item.ItemSpec},{Flat(item.CloneCustomMetadata())}";
}
