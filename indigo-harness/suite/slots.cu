//@ if !thread
__shared__ data_t slot[1024];
//@ end
