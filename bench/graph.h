// A graph in CSR form, read from an .egr file or generated.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

struct Graph {
  int vertices;
  std::vector<int> row, neighbours;
};

// splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

// R-MAT (Chakrabarti, Zhan, Faloutsos, SDM 2004) with the usual 0.57, 0.19, 0.19, 0.05: a few
// vertices have most of the edges. Integers only, so that it is the same graph everywhere.
inline Graph rmat_graph(int scale, int edges) {
  Graph graph{1 << scale, {}, {}};
  std::vector<std::pair<int, int>> all(edges);
  Random random(1);
  for (auto& edge : all) {
    std::uint64_t bits = 0;
    for (int level = 0; level < scale; ++level) {
      // One number is enough for eight levels, with a byte for each.
      bits = level % 8 == 0 ? random.next() : bits >> 8;
      const unsigned chance = bits & 255;  // quadrants at 146, 195 and 243 of 256
      edge.first = 2 * edge.first + (chance >= 195);
      edge.second = 2 * edge.second + ((chance >= 146 && chance < 195) || chance >= 243);
    }
  }
  graph.row.assign(graph.vertices + 1, 0);
  for (const auto& edge : all) ++graph.row[edge.first + 1];
  for (int v = 0; v < graph.vertices; ++v) graph.row[v + 1] += graph.row[v];
  graph.neighbours.resize(edges);
  std::vector<int> next(graph.row.begin(), graph.row.end() - 1);
  for (const auto& edge : all) graph.neighbours[next[edge.first]++] = edge.second;
  return graph;
}

// Reads the graph from an .egr file; false if it is not one.
inline bool read_graph(const char* path, Graph& graph) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return false;
  int header[2];
  bool read = std::fread(header, sizeof(int), 2, file) == 2 && header[0] >= 0 && header[1] >= 0;
  if (read) {
    graph.vertices = header[0];
    graph.row.resize(header[0] + 1);
    graph.neighbours.resize(header[1]);
    read = std::fread(graph.row.data(), sizeof(int), graph.row.size(), file) == graph.row.size() &&
           std::fread(graph.neighbours.data(), sizeof(int), graph.neighbours.size(), file) == graph.neighbours.size();
  }
  std::fclose(file);
  return read;
}

// The graph that the command line names, as a file or as rmat:SCALE:EDGES with 2^SCALE vertices;
// ends the program if there is none.
inline Graph read_graph(int argc, char** argv) {
  int scale = 0, edges = 0;
  Graph graph;
  if (argc > 1 && std::sscanf(argv[1], "rmat:%d:%d", &scale, &edges) == 2 && scale > 0 && scale < 31 && edges >= 0) {
    return rmat_graph(scale, edges);
  }
  if (argc > 1 && read_graph(argv[1], graph)) return graph;
  std::fprintf(stderr, "usage: %s GRAPH.egr|rmat:SCALE:EDGES\n", argv[0]);
  std::exit(3);
}
