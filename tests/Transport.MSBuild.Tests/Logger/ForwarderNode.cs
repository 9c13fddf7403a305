using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using Microsoft.Build.Framework;

namespace Transport.MSBuild.Tests.Logger;

/// <summary>A node of MSBuild's with a <see cref="TransportForwarder"/>, as far as that sees of it.</summary>
internal sealed class ForwarderNode
{
    private readonly object _source, _redirector, _forwarder;

    public ForwarderNode(int id, string parameters)
    {
        _source = DispatchProxy.Create<IEventSource4, EventSourceProxy>();
        _redirector = DispatchProxy.Create<IEventRedirector, RedirectorProxy>();
        var forwarder = new TransportForwarder
        {
            NodeId = id, Parameters = parameters, BuildEventRedirector = (IEventRedirector)_redirector,
        };
        _forwarder = forwarder;
        forwarder.Initialize((IEventSource)_source, 8);
    }

    /// <summary>Gets what was handed to MSBuild.</summary>
    public IReadOnlyList<object> Redirected => [.. ((RedirectorProxy)_redirector).Taken];

    public IEnumerable<string?> Messages => Redirected.Select(one => ((BuildEventArgs)one).Message);

    public void Raise(object args) => ((EventSourceProxy)_source).Raise(this, args);

    public void Shutdown() => ((TransportForwarder)_forwarder).Shutdown();
}

#pragma warning disable CA1852 // the proxy derives from it
internal class RedirectorProxy : DispatchProxy
#pragma warning restore CA1852
{
    public List<object> Taken { get; } = [];

    protected override object? Invoke(MethodInfo? targetMethod, object?[]? args)
    {
        Taken.Add(args![0]!);
        return null;
    }
}
