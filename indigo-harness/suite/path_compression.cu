// Vertices that are connected are a tree, and `parent` leads to its root. The neighbours of every vertex, and whom their paths
// pass, are hung below the root.
__device__ data_t root_of(data_t* parent, data_t at) {
  for (;;) {
    //@ if raceBug
    // BUG: others change it.
    const data_t above = parent[at];
    //@ else
    const data_t above = atomicAdd(&parent[at], 0);
    //@ end
    if (above == at) return at;
    at = above;
  }
}

__device__ void compress(data_t* parent, data_t at, data_t root) {
  for (;;) {
    //@ if guardBug
    // BUG: others change it.
    if (parent[at] == root) return;
    //@ end
    //@ if atomicBug
    // BUG: not atomic.
    const data_t above = parent[at];
    parent[at] = root;
    //@ else
    const data_t above = atomicMin(&parent[at], root);
    //@ end
    if (above == at) return;
    at = above;
  }
}

__global__ void path_compression(const int* row, const int* neighbours, const data_t* value, data_t* parent, int first,
                                 int vertices) {
  //@ use slots
  //@ use vertices
    //@ if thread
    const data_t root = root_of(parent, v);
    //@ else
    if (lane == 0) slot[threadIdx.x] = root_of(parent, v);
    //@ use barrier_or_bug
    const data_t root = slot[threadIdx.x - lane];
    //@ end
    //@ use edges
      const int u = neighbours[e];
      //@ if cond
      if (value[u] > value[v]) compress(parent, u, root);
      //@ else
      compress(parent, u, root);
      //@ end
      //@ if break
      if (value[u] > value[v]) break;
      //@ end
    }
    //@ if !thread
    //@ use slots_again
    //@ end
  }
}

static data_t root_of(const std::vector<data_t>& parent, data_t at) {
  while (parent[at] != at) at = parent[at];
  return at;
}

//@ serial
static void serial(const Graph& graph, const std::vector<data_t>& value, std::vector<data_t>& parent, int lanes) {
  const std::vector<int>&row = graph.row, &neighbours = graph.neighbours;
  for (int v = 0; v < graph.vertices; ++v) {
    const data_t root = root_of(parent, v);
    //@ use lanes_in_turn
      //@ use edges
        const int u = neighbours[e];
        //@ if cond
        data_t at = value[u] > value[v] ? u : root;
        //@ else
        data_t at = u;
        //@ end
        while (at != root) {
          const data_t above = parent[at];
          parent[at] = root;
          at = above;
        }
        //@ if break
        if (value[u] > value[v]) break;
        //@ end
      }
    }
  }
}
//@ end

// The root of a tree is its smallest vertex.
static std::vector<data_t> trees(const Graph& graph) {
  std::vector<data_t> parent(graph.vertices);
  for (int v = 0; v < graph.vertices; ++v) parent[v] = v;
  for (int v = 0; v < graph.vertices; ++v) {
    for (int e = graph.row[v]; e < graph.row[v + 1]; ++e) {
      const data_t a = root_of(parent, v), b = root_of(parent, graph.neighbours[e]);
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  return parent;
}

static bool run(const Graph& graph, Launch launch) {
  const int n = graph.vertices;
  const std::vector<data_t> value = values(n);
  std::vector<data_t> expected = trees(graph);
  data_t* const parent = to_device(expected);
  serial(graph, value, expected, launch.lanes);
  //@ use inputs
  for (int first = 0; first < n; first += launch.step) {
    path_compression<<<launch.blocks, launch.threads>>>(row, neighbours, device_value, parent, first, n);
  }
  //@ use finish
  return to_host(parent, n) == expected;
}
