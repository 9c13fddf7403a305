using NUnit.Framework;

// Its tests wait far more than they compute: several fixtures at once.
[assembly: Parallelizable(ParallelScope.Fixtures)]
[assembly: LevelOfParallelism(4)]
