using BenchmarkDotNet.Running;

// All:            dotnet run -c Release --project perf/Transport.Benchmarks -- --filter '*'
// A quick look:   … -- --filter '*Codec*' --job short
BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
