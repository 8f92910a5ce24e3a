//@ use atomic_max

// An edge weighs as much as its two vertices. Those that are not light are marked, and the heaviest is found.
__global__ void conditional_edge(const int* row, const int* neighbours, const data_t* value, signed char* marked, data_t* heaviest,
                                 int first, int vertices) {
  //@ use slots
  //@ use vertices
    //@ if !thread
    data_t* const of_vertex = &slot[threadIdx.x - lane];
    if (lane == 0) *of_vertex = 0;
    //@ if syncBug2
    // BUG: no barrier.
    //@ else
    //@ use barrier
    //@ end
    //@ end
    //@ use edges
      const int u = neighbours[e];
      const data_t weight = value[v] + value[u];
      //@ if cond
      if (weight > 50 && value[u] > value[v]) {
      //@ else
      if (weight > 50) {
      //@ end
        //@ if raceBug
        // BUG: an edge that leads to the same vertex has the same place.
        marked[u] = 1;
        //@ else
        marked[e] = 1;
        //@ end
        //@ if thread & atomicBug
        // BUG: not atomic.
        if (*heaviest < weight) *heaviest = weight;
        //@ elif thread & guardBug
        // BUG: others change it.
        if (*heaviest < weight) atomic_max(heaviest, weight);
        //@ elif thread
        atomic_max(heaviest, weight);
        //@ elif atomicBug2
        // BUG: not atomic.
        if (*of_vertex < weight) *of_vertex = weight;
        //@ else
        atomic_max(of_vertex, weight);
        //@ end
      }
      //@ if break
      if (value[u] > value[v]) break;
      //@ end
    }
    //@ if !thread
    //@ use barrier_or_bug
    if (lane == 0) {
      const data_t weight = *of_vertex;
      //@ if atomicBug
      // BUG: not atomic.
      if (*heaviest < weight) *heaviest = weight;
      //@ elif guardBug
      // BUG: others change it.
      if (*heaviest < weight) atomic_max(heaviest, weight);
      //@ else
      atomic_max(heaviest, weight);
      //@ end
    }
    //@ end
  }
}

//@ serial
static data_t serial(const Graph& graph, const std::vector<data_t>& value, std::vector<signed char>& marked, int lanes) {
  const std::vector<int>&row = graph.row, &neighbours = graph.neighbours;
  data_t heaviest = 0;
  for (int v = 0; v < graph.vertices; ++v) {
    //@ use lanes_in_turn
      //@ use edges
        const int u = neighbours[e];
        const data_t weight = value[v] + value[u];
        //@ if cond
        if (weight > 50 && value[u] > value[v]) {
        //@ else
        if (weight > 50) {
        //@ end
          marked[e] = 1;
          heaviest = std::max(heaviest, weight);
        }
        //@ if break
        if (value[u] > value[v]) break;
        //@ end
      }
    }
  }
  return heaviest;
}
//@ end

static bool run(const Graph& graph, Launch launch) {
  const int n = graph.vertices;
  const std::vector<data_t> value = values(n);
  // A place for every edge, and for every vertex if there are more.
  std::vector<signed char> expected(std::max<std::size_t>(n, graph.neighbours.size()));
  signed char* const marked = to_device(expected);
  const data_t expected_weight = serial(graph, value, expected, launch.lanes);
  //@ use inputs
  data_t* const heaviest = to_device(std::vector<data_t>(1));
  for (int first = 0; first < n; first += launch.step) {
    conditional_edge<<<launch.blocks, launch.threads>>>(row, neighbours, device_value, marked, heaviest, first, n);
  }
  //@ use finish
  return to_host(marked, expected.size()) == expected && to_host(heaviest, 1).front() == expected_weight;
}
