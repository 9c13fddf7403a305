using System;
using Geometry;
using Report;
using Units;

var field = new Rectangle(new Length(12), new Length(7.5));
var table = new Table();
table.Add("width", field.Width);
table.Add("height", field.Height);
Console.Write(table);
Console.WriteLine($"area: {field.SquareMetres} square metres");

// Left as it is: a build without a single warning shows less of what the harness does.
#warning The field is measured in metres; yards are still to come.
