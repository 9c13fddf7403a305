using System;

namespace Transport;

/// <summary>Makes an interface callable across a link: Transport.Generator writes a client that implements it, and what gives calls to the
/// object that answers them.</summary>
/// <remarks>
/// <para>Of <c>[Service(2000)] interface IArtifacts</c> come <c>new ArtifactsClient(link)</c>, which is an <c>IArtifacts</c>, and
/// <c>router.OnArtifacts(service)</c>. Its methods return Task, Task of a value, or IAsyncEnumerable; a CancellationToken may stand last.
/// Parameters and results are of the types that packets may have as fields.</para>
/// <para>Each call is a request (<c>RequestAsync</c>, <c>RequestStreamAsync</c>). Its number is the service's plus the method's place, from
/// 0: only ever add methods at the end, and parameters at the end of a method.</para>
/// <para>What cannot be called is a compiler error (TRANSPORT005, 027 and 028) at the line in question.</para>
/// </remarks>
/// <param name="id">The number of the first method's request, 1024 to 65535. The others follow it; all of them are unique within what a
/// node handles.</param>
[AttributeUsage(AttributeTargets.Interface, Inherited = false)]
public sealed class ServiceAttribute(int id) : Attribute
{
    /// <summary>Gets the number of the first method's request.</summary>
    public int Id { get; } = id;
}
