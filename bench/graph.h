// A graph in CSR form, from an .egr file.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

struct Graph {
  int vertices;
  std::vector<int> row, neighbours;
};

// Reads the graph that the command line names; ends the program where there is none.
inline Graph read_graph(int argc, char** argv) {
  Graph graph;
  std::FILE* file = argc > 1 ? std::fopen(argv[1], "rb") : nullptr;
  int header[2];
  bool read = file != nullptr && std::fread(header, sizeof(int), 2, file) == 2;
  if (read) {
    graph.vertices = header[0];
    graph.row.resize(header[0] + 1);
    graph.neighbours.resize(header[1]);
    read = std::fread(graph.row.data(), sizeof(int), graph.row.size(), file) == graph.row.size() &&
           std::fread(graph.neighbours.data(), sizeof(int), graph.neighbours.size(), file) == graph.neighbours.size();
  }
  if (!read) {
    std::fprintf(stderr, "usage: %s GRAPH.egr\n", argv[0]);
    std::exit(3);
  }
  std::fclose(file);
  return graph;
}
