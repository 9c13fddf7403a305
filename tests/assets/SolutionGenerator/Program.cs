using System;
using System.Globalization;
using SolutionGenerator;

if (args.Length is < 1 or > 3)
{
    Console.Error.WriteLine("usage: SolutionGenerator FOLDER [LIBRARIES=20] [LAYERS=5]");
    return 2;
}

int libraries = args.Length > 1 ? int.Parse(args[1], CultureInfo.InvariantCulture) : 20;
int layers = args.Length > 2 ? int.Parse(args[2], CultureInfo.InvariantCulture) : 5;
Console.WriteLine(new SolutionWriter(libraries, layers).Write(args[0]));
return 0;
