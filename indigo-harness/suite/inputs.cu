int* const row = to_device(graph.row);
int* const neighbours = to_device(graph.neighbours);
data_t* const device_value = to_device(value);
