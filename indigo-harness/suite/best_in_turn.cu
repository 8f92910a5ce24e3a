data_t best = 0;
//@ use lanes_in_turn
  //@ use best
}
