using BenchmarkDotNet.Running;
using Transport.Benchmarks;

// All:            dotnet run -c Release --project perf/Transport.Benchmarks -- --filter '*'
// A quick look:   … -- --filter '*Codec*' --job short
// A tail's cost:  … -- tail-cost
if (args is ["tail-cost"])
{
    TailCost.Run();
    return;
}

BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
