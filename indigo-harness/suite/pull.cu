// Every vertex takes the largest value among its neighbours.
__global__ void pull(const int* row, const int* neighbours, const data_t* value, data_t* pulled, int first, int vertices) {
  //@ use slots
  //@ use vertices
    data_t best = 0;
    //@ use best
    //@ use combine
    //@ if thread
    pulled[v] = best;
    //@ elif guardBug
    // BUG: not the leader alone.
    pulled[v] = best;
    //@ else
    if (lane == 0) pulled[v] = best;
    //@ end
  }
}

//@ serial
static void serial(const Graph& graph, const std::vector<data_t>& value, std::vector<data_t>& pulled, int lanes) {
  const std::vector<int>&row = graph.row, &neighbours = graph.neighbours;
  for (int v = 0; v < graph.vertices; ++v) {
    //@ use best_in_turn
    pulled[v] = best;
  }
}
//@ end

static bool run(const Graph& graph, Launch launch) {
  const int n = graph.vertices;
  const std::vector<data_t> value = values(n);
  std::vector<data_t> expected = value;
  serial(graph, value, expected, launch.lanes);
  //@ use inputs
  data_t* const pulled = to_device(value);
  for (int first = 0; first < n; first += launch.step) {
    pull<<<launch.blocks, launch.threads>>>(row, neighbours, device_value, pulled, first, n);
  }
  //@ use finish
  return to_host(pulled, n) == expected;
}
