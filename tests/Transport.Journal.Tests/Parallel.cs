using NUnit.Framework;

// Its tests wait about as long as they compute: several fixtures at once.
[assembly: Parallelizable(ParallelScope.Fixtures)]
[assembly: LevelOfParallelism(3)]
