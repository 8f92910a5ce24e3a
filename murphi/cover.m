-- Situations that a check of 2x2x2 must reach; otherwise its invariants would say little.
-- Only rumur has `cover`: a model for CMurphi lacks this part.

-- Whether the next access is by a thread with this relation to the one that wrote the location
-- last. The state WRITE keeps every field, so the relation is certain.
function follows_write(relation: Relation): boolean;
begin
  return turn = turn_analysis & recorded_state() = WRITE & can_see_relation(relation);
endfunction;

-- Whether an access of this kind waits after one atomic by a thread of another block.
function follows_atomic(state: State; kind: Access): boolean;
begin
  return turn = turn_analysis & recorded_state() = state & waiting.kind = kind
    & can_see_relation(relation_grid);
endfunction;

-- Whether an access of this kind is the first that races.
function races_first(kind: Access): boolean;
begin
  return turn = turn_analysis & raced & recorded_state() != RACE & waiting.kind = kind;
endfunction;

cover "a read races" races_first(access_read);
cover "a write races" races_first(access_write);
cover "a block-scope atomic races" races_first(access_block_atomic);
cover "a device-scope atomic races" races_first(access_grid_atomic);
cover "accesses continue after a race" turn = turn_analysis & recorded_state() = RACE;

cover "a race in global memory" raced & isundefined(owner);
cover "a race in shared memory" raced & !isundefined(owner);

cover "program order orders" follows_write(relation_same) & !raced;
cover "lanes of a warp race" follows_write(relation_warp) & raced;
cover "warps of a block race" follows_write(relation_block) & raced;
cover "blocks race" follows_write(relation_grid) & raced;

cover "a warp barrier orders lanes"
  follows_write(relation_warp) & !raced & !word.block_clock_moved;
cover "a block barrier orders lanes"
  follows_write(relation_warp) & !raced & word.block_clock_moved;
cover "a block barrier orders warps"
  follows_write(relation_block) & !raced;
cover "a warp barrier does not order warps"
  follows_write(relation_block) & raced & !isundefined(word.warp_clock_moved)
  & word.warp_clock_moved;
cover "a block barrier does not order blocks"
  follows_write(relation_grid) & raced & word.block_clock_moved;

cover "block-scope atomics of two blocks race"
  follows_atomic(BATOM, access_block_atomic) & raced;
cover "atomics of two scopes in two blocks race"
  follows_atomic(BATOM, access_grid_atomic) & raced;
cover "device-scope atomics of two blocks do not race"
  follows_atomic(GATOM, access_grid_atomic) & !raced;

cover "the end of a kernel orders blocks"
  turn = turn_analysis & !word.is_current & word.state = WRITE
  & can_see_relation(relation_grid) & !raced;
cover "the end of a kernel lifts a race"
  turn = turn_driver & !word.is_current & word.state = RACE;
cover "shared memory goes to another block"
  turn = turn_analysis & !isundefined(owner) & !word.is_current & word.state = WRITE
  & can_see_relation(relation_grid);
