//@ use edges
  const int u = neighbours[e];
  //@ if pull & raceBug
  // BUG: others write these.
  const data_t found = pulled[u];
  //@ else
  const data_t found = value[u];
  //@ end
  //@ if cond
  if (found > value[v] && found > best) best = found;
  //@ else
  if (found > best) best = found;
  //@ end
  //@ if break
  if (found > value[v]) break;
  //@ end
}
