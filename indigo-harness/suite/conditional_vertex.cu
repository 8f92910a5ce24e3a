// Every vertex finds the largest value among its neighbours; those with a larger one than their own are counted.
__global__ void conditional_vertex(const int* row, const int* neighbours, const data_t* value, data_t* largest, data_t* count,
                                   int first, int vertices) {
  //@ use slots
  //@ use vertices
    data_t best = 0;
    //@ use best
    //@ use combine
    //@ use leader
      //@ if raceBug
      // BUG: two vertices have the same place.
      largest[v / 2] = best;
      //@ else
      largest[v] = best;
      //@ end
      if (best > value[v]) {
        //@ if atomicBug
        // BUG: not atomic.
        *count += 1;
        //@ elif guardBug
        // BUG: others add to it.
        if (*count < vertices) atomicAdd(count, 1);
        //@ else
        atomicAdd(count, 1);
        //@ end
      }
    }
  }
}

//@ serial
static data_t serial(const Graph& graph, const std::vector<data_t>& value, std::vector<data_t>& largest, int lanes) {
  const std::vector<int>&row = graph.row, &neighbours = graph.neighbours;
  data_t count = 0;
  for (int v = 0; v < graph.vertices; ++v) {
    //@ use best_in_turn
    largest[v] = best;
    if (best > value[v]) count += 1;
  }
  return count;
}
//@ end

static bool run(const Graph& graph, Launch launch) {
  const int n = graph.vertices;
  const std::vector<data_t> value = values(n);
  std::vector<data_t> expected(n);
  const data_t expected_count = serial(graph, value, expected, launch.lanes);
  //@ use inputs
  data_t* const largest = to_device(std::vector<data_t>(n));
  data_t* const count = to_device(std::vector<data_t>(1));
  for (int first = 0; first < n; first += launch.step) {
    conditional_vertex<<<launch.blocks, launch.threads>>>(row, neighbours, device_value, largest, count, first, n);
  }
  //@ use finish
  return to_host(largest, n) == expected && to_host(count, 1).front() == expected_count;
}
