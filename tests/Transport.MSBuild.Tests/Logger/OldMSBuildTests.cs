using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.Loader;
using System.Threading.Tasks;
using NUnit.Framework;

namespace Transport.MSBuild.Tests.Logger;

/// <summary>The logger for netstandard2.0 in an MSBuild that lacks types and members of the one that it was compiled with.</summary>
[TestFixture("16.6.0")]
[TestFixture("17.4.0")]
internal sealed class OldMSBuildTests(string version)
{
    private readonly OldHost _host = new(Path.Combine(AppContext.BaseDirectory, "old"), version);

    [Test]
    public void It_is_the_old_assembly_that_lacks_what_later_ones_have()
    {
        Assert.That(_host.Framework.GetType("Microsoft.Build.Framework.IEventSource5"), Is.Null);
        Assert.That(_host.Framework.GetType("Microsoft.Build.Framework.ExtendedBuildErrorEventArgs"), Is.Null);
    }

    [Test]
    public async Task Its_events_arrive()
    {
        var events = new List<BuildEvent>();
        await using BuildCollector collector = BuildCollector.Start(_ => new PacketRouter().On<BuildEvent>(one =>
        {
            lock (events)
            {
                events.Add(one);
            }
        }));
        object logger = Activator.CreateInstance(_host.Logger.GetType("Transport.MSBuild.TransportLogger", throwOnError: true)!)!;
        Type source = _host.Type("IEventSource");
        object proxy = DispatchProxy.Create(source, _host.Proxy);

        _host.Type("ILogger").GetProperty("Parameters")!.SetValue(logger, $"connect={collector.ConnectionFile};required=true");
        _host.Type("ILogger").GetMethod("Initialize")!.Invoke(logger, [proxy]);
        object[] raised = [.. _host.EventTypes().Select(type => Activator.CreateInstance(type, nonPublic: true)!), Message()];
        foreach (object one in raised)
        {
            _host.Raise(proxy, this, one);
        }

        _host.Type("ILogger").GetMethod("Shutdown")!.Invoke(logger, null);
        CollectedBuild end = (await collector.CloseAsync()).Single();

        Assert.That(end.End.IsClean, Is.True, end.End.ToString());
        Assert.That(events, Has.Count.EqualTo(raised.Length).And.Count.GreaterThan(25));
        Assert.That((events[^1].Kind, events[^1].Message, events[^1].Sender, events[^1].Number("Importance")),
            Is.EqualTo((BuildEventKind.Message, "compiled", "Csc", 0L)));
        Assert.That(events.Select(one => one.Kind).Distinct().Count(), Is.GreaterThan(20), "each type has the kind of its own");
    }

    private object Message()
    {
        Type importance = _host.Type("MessageImportance");
        return Activator.CreateInstance(_host.Type("BuildMessageEventArgs"), "compiled", "help", "Csc", Enum.Parse(importance, "High"))!;
    }

    /// <summary>Loads an old Microsoft.Build.Framework, and the logger beside it.</summary>
    private sealed class OldHost(string folder, string version) : AssemblyLoadContext($"MSBuild {version}")
    {
        private const string FrameworkName = "Microsoft.Build.Framework";

        public Assembly Framework => LoadFromAssemblyName(new AssemblyName(FrameworkName));

        public Assembly Logger => LoadFromAssemblyName(new AssemblyName("Transport.MSBuild.Logger"));

        /// <summary>The proxy's base, loaded here once more: a proxy's types are found where its base is.</summary>
        public Type Proxy => LoadFromAssemblyPath(typeof(EventSourceProxy).Assembly.Location).GetType(typeof(EventSourceProxy).FullName!)!;

        public void Raise(object proxy, object sender, object args) =>
            ((Delegate)Proxy.GetProperty(nameof(EventSourceProxy.AnyEventRaised))!.GetValue(proxy)!).DynamicInvoke(sender, args);

        public Type Type(string name) => Framework.GetType($"{FrameworkName}.{name}", throwOnError: true)!;

        /// <summary>The types of events that can be made with nothing in them.</summary>
        public IEnumerable<Type> EventTypes() => Framework.GetExportedTypes().Where(type => !type.IsAbstract
            && Type("BuildEventArgs").IsAssignableFrom(type) && type.GetConstructor(
                BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic, []) is not null);

        protected override Assembly? Load(AssemblyName assemblyName)
        {
            string place = assemblyName.Name == FrameworkName ? Path.Combine(folder, version) : folder;
            string path = Path.Combine(place, assemblyName.Name + ".dll");
            return File.Exists(path) ? LoadFromAssemblyPath(path) : null;
        }
    }
}

/// <summary>An event source whose one handler a test calls.</summary>
#pragma warning disable CA1852 // a proxy derives from it
internal class EventSourceProxy : DispatchProxy
#pragma warning restore CA1852
{
    public Delegate? AnyEventRaised { get; private set; }

    public void Raise(object sender, object args) => AnyEventRaised!.DynamicInvoke(sender, args);

    protected override object? Invoke(MethodInfo? targetMethod, object?[]? args)
    {
        AnyEventRaised = targetMethod!.Name == "add_AnyEventRaised" ? (Delegate?)args![0] : AnyEventRaised;
        return null;
    }
}
