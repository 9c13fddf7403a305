using System;

namespace Transport;

/// <summary>A worker of a pool that could not be started. Immutable.</summary>
/// <param name="Problem">Why, for people.</param>
/// <param name="NextTry">When it is tried again; null: the place stays empty (<see cref="WorkerPoolOptions.Restart"/>,
/// <see cref="WorkerPoolOptions.MaxRestarts"/>).</param>
public sealed record WorkerStartFailure(string Problem, TimeSpan? NextTry);
