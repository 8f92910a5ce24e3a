-- The driver: everything that can happen to one location of memory, and the truth about
-- which accesses race. The analysis at the marked places is generated from the
-- specification; `hirace fsm murphi` prints both together.
--
-- One location is enough: every location has a shadow word of its own, and no rule reads
-- two of them. The location lies in global memory, or in the shared memory of one block,
-- which alone can reach it then.
--
-- The two sides take turns. The driver lets a thread access the location, witnesses from
-- the definition of a race whether the access is one, and hands the turn over. The analysis
-- compares the thread with the shadow word, steps the word and hands the turn back. Then
-- the word has to say RACE if and only if a race was witnessed.

const
  BLOCKS: 2;
  WARPS: 2;    -- in a block
  THREADS: 2;  -- in a warp

  -- 1: the word keeps only the fields that matter in its state, as on devices. 0: all of them.
  MASKED: 1;
  -- 1: the driver drops an access once another makes it irrelevant; see is_dominated.
  -- 0: it does not, which takes far more states and finds nothing more.
  FORGETFUL: 1;

--include types

type
  -- Nothing depends on the numbers, only on who shares a warp or a block.
  Block: scalarset(BLOCKS);
  Warp: scalarset(WARPS);
  Thread: scalarset(THREADS);

  Turn: enum { turn_driver, turn_analysis };

  -- The threads of a block that an access is not ordered before.
  Unordered: array [Warp] of array [Thread] of boolean;

var
  turn: Turn;

  -- The block that the location is shared memory of; undefined for global memory.
  owner: Block;

  -- Two accesses of this kernel raced.
  raced: boolean;

  -- The access that waits for the analysis.
  waiting: record
    kind: Access;
    block: Block;
    warp: Warp;
    lane: Thread;
  end;

  -- The analysis' side: the shadow word. A comparison with an undefined field may have any
  -- outcome, because the word does not keep the field in this state or because the counters
  -- carry no information.
  word: record
    state: State;
    -- The epoch in the word is that of the running kernel; otherwise it reads as INIT.
    is_current: boolean;
    -- The recorded thread.
    block: Block;
    warp: Warp;
    lane: Thread;
    -- Clocks count barriers without limit. Their model is finite because a comparison shows
    -- only whether the clock of the recorded thread's block, or warp, has advanced since.
    block_clock_moved: boolean;
    warp_clock_moved: boolean;
  end;

  -- The driver's side. made[b][w][t][k] says that thread t of warp w of block b made an access
  -- of kind k that still matters; unordered[b][w][t][k][v][u] says that this access is not
  -- ordered before what thread u of warp v of the same block does next, and is undefined
  -- without such an access. Threads of other blocks need no entry: before the kernel ends,
  -- nothing orders an access before what they do.
  --
  -- Of several accesses of one kind by one thread only the latest is kept: each earlier one
  -- is ordered before all that the latest is ordered before, and conflicts with the same
  -- accesses, so whatever races with it races with the latest too.
  made: array [Block] of array [Warp] of array [Thread] of array [Access] of boolean;
  unordered: array [Block] of array [Warp] of array [Thread] of array [Access] of Unordered;

--include functions

-- Whether two accesses by different threads race if nothing orders them.
function conflict(earlier, later: Access; same_block: boolean): boolean;
begin
  if earlier = access_read & later = access_read then
    return false;
  endif;
  if earlier = access_read | earlier = access_write
      | later = access_read | later = access_write then
    return true;
  endif;
  -- Two atomics: no race if each one's scope covers both threads.
  return !(same_block | (earlier = access_grid_atomic & later = access_grid_atomic));
endfunction;

-- Whether an access races with an earlier one, by the definition.
function races(kind: Access; block: Block; warp: Warp; lane: Thread): boolean;
begin
  for b: Block do for w: Warp do for t: Thread do for k: Access do
    if made[b][w][t][k] then
      if b != block then
        if conflict(k, kind, false) then return true; endif;
      elsif unordered[b][w][t][k][warp][lane] then
        if conflict(k, kind, true) then return true; endif;
      endif;
    endif;
  endfor; endfor; endfor; endfor;
  return false;
endfunction;

-- Whether everything that races with an earlier access races with a later one of the same
-- block, if the earlier one is ordered before the later one.
--
-- Whoever comes after the later access comes after the earlier one too. So it suffices
-- that the later one conflicts with all that the earlier one conflicts with; the block of
-- the two, on which that depends, is the same.
function is_dominated(earlier, later: Access): boolean;
begin
  return later = access_write | later = earlier
    | (later = access_block_atomic & earlier = access_grid_atomic);
endfunction;

procedure forget_everything();
begin
  clear made;
  undefine unordered;
endprocedure;

procedure forget_dominated(kind: Access; block: Block; warp: Warp; lane: Thread);
begin
  for w: Warp do for t: Thread do for k: Access do
    if made[block][w][t][k] & is_dominated(k, kind) then
      if !unordered[block][w][t][k][warp][lane] then
        made[block][w][t][k] := false;
        undefine unordered[block][w][t][k];
      endif;
    endif;
  endfor; endfor; endfor;
endprocedure;

-- The driver's half of an access.
procedure witness(kind: Access; block: Block; warp: Warp; lane: Thread);
begin
  if raced | races(kind, block, warp, lane) then
    -- One race is enough: nothing else that happened matters any more.
    raced := true;
    forget_everything();
  else
    if FORGETFUL = 1 then
      forget_dominated(kind, block, warp, lane);
    endif;
    made[block][warp][lane][kind] := true;
    for w: Warp do for t: Thread do
      unordered[block][warp][lane][kind][w][t] := true;
    endfor; endfor;
    unordered[block][warp][lane][kind][warp][lane] := false;
  endif;
endprocedure;

-- What was ordered before one thread at a barrier is ordered before all of them after it.
procedure order_by_warp_barrier(block: Block; warp: Warp);
begin
  for w: Warp do for t: Thread do for k: Access do
    if made[block][w][t][k] then
      if exists u: Thread do !unordered[block][w][t][k][warp][u] endexists then
        for u: Thread do
          unordered[block][w][t][k][warp][u] := false;
        endfor;
      endif;
    endif;
  endfor; endfor; endfor;
endprocedure;

procedure order_by_block_barrier(block: Block);
begin
  for w: Warp do for t: Thread do for k: Access do
    if made[block][w][t][k] then
      if exists v: Warp do exists u: Thread do
          !unordered[block][w][t][k][v][u] endexists endexists then
        for v: Warp do for u: Thread do
          unordered[block][w][t][k][v][u] := false;
        endfor; endfor;
      endif;
    endif;
  endfor; endfor; endfor;
endprocedure;

-- The clock of a warp advances.
procedure count_warp_barrier(block: Block; warp: Warp);
begin
  if !isundefined(word.block) & !isundefined(word.warp) & !isundefined(word.warp_clock_moved) then
    if word.block = block & word.warp = warp then
      word.warp_clock_moved := true;
    endif;
  endif;
endprocedure;

-- The clock of a block advances, and those of its warps start again: from then on they may
-- have any value, the recorded one as well.
procedure count_block_barrier(block: Block);
begin
  if !isundefined(word.block) then
    if word.block = block then
      undefine word.warp_clock_moved;
      if !isundefined(word.block_clock_moved) then
        word.block_clock_moved := true;
      endif;
    endif;
  endif;
endprocedure;

-- A kernel comes after everything that an earlier one did, and it has a new epoch. The clocks
-- start again.
procedure end_kernel();
begin
  forget_everything();
  raced := false;
  word.is_current := false;
  undefine word.block_clock_moved;
  undefine word.warp_clock_moved;
endprocedure;

procedure begin_with_no_access();
begin
  forget_everything();
  raced := false;
  undefine waiting;
  undefine word;
  word.state := INIT;
  word.is_current := false;
  turn := turn_driver;
endprocedure;

-- What the next access finds in the word.
function recorded_state(): State;
begin
  if word.is_current then
    return word.state;
  endif;
  return INIT;
endfunction;

-- Whether the waiting thread can see this when it compares its place with the recorded one.
function can_see_relation(relation: Relation): boolean;
begin
  if !isundefined(word.block) then
    if (relation = relation_grid) = (word.block = waiting.block) then return false; endif;
  endif;
  if relation = relation_grid then return true; endif;
  if !isundefined(word.warp) then
    if (relation = relation_block) = (word.warp = waiting.warp) then return false; endif;
  endif;
  if relation = relation_block then return true; endif;
  if !isundefined(word.lane) then
    if (relation = relation_warp) = (word.lane = waiting.lane) then return false; endif;
  endif;
  return true;
endfunction;

-- Whether the waiting thread can see this when it compares its clocks with the recorded ones.
-- Clocks of two blocks, or of two warps, count different barriers: comparing them may have any
-- outcome.
function can_see_sync(sync: Sync): boolean;
begin
  if isundefined(word.block) then return true; endif;
  if word.block != waiting.block then return true; endif;
  if !isundefined(word.block_clock_moved) then
    if (sync = sync_block) != word.block_clock_moved then return false; endif;
  endif;
  if sync = sync_block | isundefined(word.warp) | isundefined(word.warp_clock_moved) then
    return true;
  endif;
  return word.warp != waiting.warp | (sync = sync_warp) = word.warp_clock_moved;
endfunction;

-- The analysis' half of an access: the word is that of the current thread, without the fields
-- that its new state does not keep.
procedure step(sync: Sync; relation: Relation);
begin
  word.state := next_state(recorded_state(), waiting.kind, sync, relation);
  word.is_current := true;
  word.block := waiting.block;
  word.warp := waiting.warp;
  word.lane := waiting.lane;
  word.block_clock_moved := false;
  word.warp_clock_moved := false;
  if MASKED = 1 then
    if !keeps_block(word.state) then undefine word.block; endif;
    if !keeps_warp(word.state) then undefine word.warp; endif;
    if !keeps_lane(word.state) then undefine word.lane; endif;
    if !keeps_block_clock(word.state) then undefine word.block_clock_moved; endif;
    if !keeps_warp_clock(word.state) then undefine word.warp_clock_moved; endif;
  endif;
endprocedure;

startstate "global memory"
  begin_with_no_access();
  undefine owner;
endstartstate;

ruleset block: Block do
  startstate "shared memory"
    begin_with_no_access();
    owner := block;
  endstartstate;
endruleset;

ruleset block: Block; warp: Warp; lane: Thread; kind: Access do
  rule "access"
    turn = turn_driver & (isundefined(owner) | owner = block)
  ==>
    witness(kind, block, warp, lane);
    waiting.kind := kind;
    waiting.block := block;
    waiting.warp := warp;
    waiting.lane := lane;
    turn := turn_analysis;
  endrule;
endruleset;

ruleset sync: Sync; relation: Relation do
  rule "analysis"
    turn = turn_analysis & can_see_sync(sync) & can_see_relation(relation)
  ==>
    step(sync, relation);
    undefine waiting;
    turn := turn_driver;
  endrule;
endruleset;

ruleset block: Block; warp: Warp do
  rule "syncwarp"
    turn = turn_driver
  ==>
    order_by_warp_barrier(block, warp);
    count_warp_barrier(block, warp);
  endrule;
endruleset;

ruleset block: Block do
  rule "syncthreads"
    turn = turn_driver
  ==>
    order_by_block_barrier(block);
    count_block_barrier(block);
  endrule;
endruleset;

rule "kernel end"
  turn = turn_driver & isundefined(owner)
==>
  end_kernel();
endrule;

-- Another block may get the shared memory next.
ruleset block: Block do
  rule "kernel end"
    turn = turn_driver & !isundefined(owner)
  ==>
    end_kernel();
    owner := block;
  endrule;
endruleset;

invariant "no false alarm"
  (turn = turn_driver & recorded_state() = RACE) -> raced;

invariant "no missed race"
  (turn = turn_driver & raced) -> recorded_state() = RACE;
