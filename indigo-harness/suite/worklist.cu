// The values of the vertices that have a neighbour with a larger one go to a list.
__global__ void worklist(const int* row, const int* neighbours, const data_t* value, data_t* list, int* length, int first,
                         int vertices) {
  //@ use slots
  //@ use vertices
    data_t best = 0;
    //@ use best
    //@ use combine
    //@ use leader
      if (best > value[v]) {
        //@ if atomicBug
        // BUG: not atomic.
        const int at = *length;
        *length = at + 1;
        list[at] = value[v];
        //@ elif guardBug
        // BUG: others add to it.
        if (*length < vertices) list[atomicAdd(length, 1)] = value[v];
        //@ elif raceBug
        const int at = atomicAdd(length, 1);
        // BUG: the place before may be another's, who has not come to write to it.
        if (at == 0 || list[at - 1] != value[v]) list[at] = value[v];
        //@ else
        list[atomicAdd(length, 1)] = value[v];
        //@ end
      }
    }
  }
}

//@ serial
static std::vector<data_t> serial(const Graph& graph, const std::vector<data_t>& value, int lanes) {
  const std::vector<int>&row = graph.row, &neighbours = graph.neighbours;
  std::vector<data_t> list;
  for (int v = 0; v < graph.vertices; ++v) {
    //@ use best_in_turn
    if (best > value[v]) list.push_back(value[v]);
  }
  return list;
}
//@ end

// The list is in no order.
static bool run(const Graph& graph, Launch launch) {
  const int n = graph.vertices;
  const std::vector<data_t> value = values(n);
  std::vector<data_t> expected = serial(graph, value, launch.lanes);
  std::sort(expected.begin(), expected.end());
  //@ use inputs
  data_t* const list = to_device(std::vector<data_t>(n));
  int* const length = to_device(std::vector<int>(1));
  for (int first = 0; first < n; first += launch.step) {
    worklist<<<launch.blocks, launch.threads>>>(row, neighbours, device_value, list, length, first, n);
  }
  //@ use finish
  std::vector<data_t> found = to_host(list, to_host(length, 1).front());
  std::sort(found.begin(), found.end());
  return found == expected;
}
