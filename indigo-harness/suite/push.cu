// Every vertex adds its value to those of its neighbours.
__global__ void push(const int* row, const int* neighbours, const data_t* value, data_t* pushed, int first, int vertices) {
  //@ use slots
  //@ use vertices
    //@ if raceBug
    // BUG: others add to it.
    const data_t* const source = pushed;
    //@ else
    const data_t* const source = value;
    //@ end
    //@ if thread
    const data_t mine = source[v];
    //@ else
    if (lane == 0) slot[threadIdx.x] = source[v];
    //@ use barrier_or_bug
    const data_t mine = slot[threadIdx.x - lane];
    //@ end
    //@ use edges
      const int u = neighbours[e];
      //@ if cond
      if (value[u] > value[v]) {
      //@ else
      {
      //@ end
        //@ if atomicBug
        // BUG: not atomic.
        pushed[u] += mine;
        //@ elif guardBug
        // BUG: others add to it.
        if (pushed[u] < 1000000) atomicAdd(&pushed[u], mine);
        //@ else
        atomicAdd(&pushed[u], mine);
        //@ end
      }
      //@ if break
      if (value[u] > value[v]) break;
      //@ end
    }
    //@ if !thread
    //@ use slots_again
    //@ end
  }
}

//@ serial
static void serial(const Graph& graph, const std::vector<data_t>& value, std::vector<data_t>& pushed, int lanes) {
  const std::vector<int>&row = graph.row, &neighbours = graph.neighbours;
  for (int v = 0; v < graph.vertices; ++v) {
    //@ use lanes_in_turn
      //@ use edges
        const int u = neighbours[e];
        //@ if cond
        if (value[u] > value[v]) pushed[u] += value[v];
        //@ else
        pushed[u] += value[v];
        //@ end
        //@ if break
        if (value[u] > value[v]) break;
        //@ end
      }
    }
  }
}
//@ end

static bool run(const Graph& graph, Launch launch) {
  const int n = graph.vertices;
  const std::vector<data_t> value = values(n);
  std::vector<data_t> expected = value;
  serial(graph, value, expected, launch.lanes);
  //@ use inputs
  data_t* const pushed = to_device(value);
  for (int first = 0; first < n; first += launch.step) {
    push<<<launch.blocks, launch.threads>>>(row, neighbours, device_value, pushed, first, n);
  }
  //@ use finish
  return to_host(pushed, n) == expected;
}
