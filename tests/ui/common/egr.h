// Reads a graph in ECL's binary format (.egr) for the graph programs; host code only.
//
// The format, little endian: int32 nodes, int32 edges, int32 row[nodes + 1], int32 adj[edges].
// The neighbours of vertex v are adj[row[v]] … adj[row[v + 1] - 1].
#ifndef EGR_H
#define EGR_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

struct Graph {
    int nodes = 0;
    int edges = 0;
    std::vector<int> row;
    std::vector<int> adj;

    int degree(int v) const { return row[v + 1] - row[v]; }
};

inline void fail_to_read(const char* path, const char* why)
{
    fprintf(stderr, "failed to read graph %s: %s\n", path, why);
    exit(1);
}

inline Graph read_graph(const char* path)
{
    FILE* file = fopen(path, "rb");
    if (file == nullptr) {
        fail_to_read(path, "the file cannot be opened");
    }
    std::int32_t size[2];
    if (fread(size, sizeof(std::int32_t), 2, file) != 2 || size[0] < 0 || size[1] < 0) {
        fail_to_read(path, "the header is missing or negative");
    }
    Graph graph;
    graph.nodes = size[0];
    graph.edges = size[1];
    graph.row.resize(graph.nodes + 1);
    graph.adj.resize(graph.edges);
    const std::size_t rows = fread(graph.row.data(), sizeof(int), graph.row.size(), file);
    const std::size_t neighbours = fread(graph.adj.data(), sizeof(int), graph.adj.size(), file);
    fclose(file);
    if (rows != graph.row.size() || neighbours != graph.adj.size()) {
        fail_to_read(path, "the file is truncated");
    }
    if (graph.row.front() != 0 || graph.row.back() != graph.edges) {
        fail_to_read(path, "the row index does not span the edges");
    }
    for (int v = 0; v < graph.nodes; v++) {
        if (graph.row[v] > graph.row[v + 1]) {
            fail_to_read(path, "the row index decreases");
        }
    }
    for (int u : graph.adj) {
        if (u < 0 || u >= graph.nodes) {
            fail_to_read(path, "a neighbour is no vertex");
        }
    }
    return graph;
}

// The graph named by the first argument of the program.
inline Graph read_graph(int argc, char** argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s GRAPH.egr\n", argv[0]);
        exit(1);
    }
    return read_graph(argv[1]);
}

// A graph with the given edges (from, to), in their order per vertex.
inline Graph graph_of_edges(int nodes, const std::vector<std::pair<int, int>>& edges)
{
    Graph graph;
    graph.nodes = nodes;
    graph.edges = static_cast<int>(edges.size());
    graph.row.assign(nodes + 1, 0);
    graph.adj.resize(edges.size());
    for (const auto& edge : edges) {
        graph.row[edge.first + 1]++;
    }
    for (int v = 0; v < nodes; v++) {
        graph.row[v + 1] += graph.row[v];
    }
    std::vector<int> next(graph.row.begin(), graph.row.end() - 1);
    for (const auto& edge : edges) {
        graph.adj[next[edge.first]++] = edge.second;
    }
    return graph;
}

// The graph with every edge in both directions.
inline Graph symmetrised(const Graph& graph)
{
    std::vector<std::pair<int, int>> edges;
    edges.reserve(2 * graph.adj.size());
    for (int v = 0; v < graph.nodes; v++) {
        for (int e = graph.row[v]; e < graph.row[v + 1]; e++) {
            edges.emplace_back(v, graph.adj[e]);
            edges.emplace_back(graph.adj[e], v);
        }
    }
    return graph_of_edges(graph.nodes, edges);
}

#endif
