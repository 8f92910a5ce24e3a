#!/usr/bin/env bash
# Compiles and runs what `cargo xtask gpu` has put beside this file, on a machine that need
# have nothing but a GPU, nvcc, a C++ compiler, bash and awk.
#
# usage: bash run.sh OUT
#
# OUT, a new directory, gets what `cargo xtask gpu --import OUT` reads:
#   machine.txt       where it ran, and when
#   self_test.txt     each part of the self-test, and whether its answers are as specified
#   tests.txt         each run of a test: expected and seen at first sight, exit status
#   records.tar.gz    what each of them recorded; the import judges by these
#   measured.txt      each number that a benchmark printed
#   benchmarks.json   what follows from them; benchmarks.md the same as a table
#   log.txt           compilers' messages, and programs' that failed
#
# Environment: NVCC [nvcc], ARCH [native], CXX [c++] (of a package for the CPU executor),
# JOBS [all cores], LIMIT in seconds [460]: what has not begun by then is left out, and
# said to be.
#
# Exit status: 0 where all compiled, ran and came out as expected at first sight; 1 where
# not; 2 where nothing could be done.
set -u
export LC_ALL=C

fail() {
  echo "run.sh: $1" >&2
  exit 2
}

PACKAGE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || fail "cannot find its own directory"
[ $# -eq 1 ] || fail "usage: bash run.sh OUT"
[ -e "$1" ] && [ -n "$(ls -A "$1")" ] && fail "$1 exists and is not empty"
mkdir -p "$1" && OUT=$(cd "$1" && pwd) || fail "cannot make $1"
cd "$PACKAGE" || fail "cannot enter $PACKAGE"
BACKEND=$(cat backend) || fail "this is no package of cargo xtask gpu"
set -a  # for the shells that xargs starts
# shellcheck source=/dev/null
. ./layout || fail "this is no package of cargo xtask gpu"
set +a
WORK=$(mktemp -d) || fail "cannot make a directory for what is compiled"
trap 'rm -rf "$WORK"' EXIT
NVCC=${NVCC:-nvcc} ARCH=${ARCH:-native} CXX=${CXX:-c++} JOBS=${JOBS:-$(nproc)} LIMIT=${LIMIT:-460}
STARTED=$(date +%s)
export PACKAGE OUT BACKEND WORK NVCC ARCH CXX LIMIT STARTED
: >"$OUT/log.txt"

say() { echo "[$SECONDS s] $*"; }
in_time() { [ $(($(date +%s) - STARTED)) -lt "$LIMIT" ]; }

# What the driver says of the first GPU; its tool may not be there.
ask_driver() {
  local answer
  answer=$(nvidia-smi "--query-gpu=$1" --format=csv,noheader 2>/dev/null | head -n 1)
  echo "${answer:-unknown}"
}

# What the machine is, for the table.
machine() {
  echo "date: $(date -u +%Y-%m-%d)"
  echo "prepared: $(cat version)"
  echo "backend: $BACKEND"
  if [ "$BACKEND" = gpu ]; then
    echo "device: $(ask_driver name)"
    echo "driver: $(ask_driver driver_version)"
    echo "compiler: $("$NVCC" --version | tail -n 1)"
    echo "racecheck: $(compute-sanitizer --version 2>/dev/null | tail -n 1)"
  else
    echo "device: CPU executor, no GPU"
    echo "driver: none"
    echo "compiler: $("$CXX" --version | head -n 1)"
    echo "racecheck: "
  fi
}
if [ "$BACKEND" = gpu ]; then
  nvidia-smi -L >/dev/null 2>&1 || [ -e /dev/nvidiactl ] || fail "there is no GPU here"
  "$NVCC" --version >/dev/null 2>&1 || fail "there is no nvcc here: set NVCC"
fi
machine >"$OUT/machine.txt"

# Compiles one line of `compilations`: SOURCE|INCLUDE|OPTIONS, to $WORK/SOURCE.
compile() {
  local source include options
  IFS='|' read -r source include options <<<"$1"
  in_time || { echo "no time to compile: $source"; return; }
  mkdir -p "$(dirname "$WORK/$source")"
  local command=()
  if [ "$BACKEND" = gpu ]; then
    command=("$NVCC" -std=c++17 --extended-lambda -O2 -maxrregcount=64 "-arch=$ARCH" "$source")
    [ -n "$include" ] && command+=(-I "$include")
  else
    command=("$CXX" -std=c++17 -O2 -pthread -I "$include" -I "$include/hirace/toolkit" -x c++ "$source" -x none)
  fi
  # shellcheck disable=SC2086  # several options
  if ! "${command[@]}" $options -o "$WORK/$source.out" >"$WORK/$source.log" 2>&1; then
    { echo "== ${command[*]} $options"; cat "$WORK/$source.log"; } >>"$OUT/log.txt"
    echo "failed to compile: $source"
  fi
}

# The exit status $1 of a program under `timeout`, or that this has ended it.
ended() { [ "$1" -eq 124 ] && echo timeout || echo "$1"; }

# The number of $3 bytes at offset $2 of the record file $1.
number() { od -An -v "-tu$3" -j "$2" -N "$3" "$1" | tr -d ' '; }

# Races for sure, and possible ones, in a record file; `failed` where the program did not get to
# its end, `nothing` where no access was checked.
look_at() {
  local kernels records
  [ "$(number "$1" "$RecordHeader_finished" 4)" = 1 ] || { echo failed; return; }
  [ "$(number "$1" "$RecordHeader_accesses" 8)" != 0 ] || { echo nothing; return; }
  kernels=$(number "$1" "$RecordHeader_kernel_capacity" 4)
  records=$(number "$1" "$RecordHeader_record_capacity" 4)
  od -An -v "-w$Record_bytes" -t u1 -j $((RecordHeader_bytes + KernelEntry_bytes * kernels)) "$1" |
    awk -v count="$records" -v ready=$((Record_ready + 1)) -v type=$((Record_type + 1)) \
      -v not_modelled=$((Record_not_modelled + 1)) -v complete="$COMPLETE" -v race="$RACE" '
    NR <= count && $ready == complete && $type == race {
      if ($not_modelled + $(not_modelled + 1) + $(not_modelled + 2) + $(not_modelled + 3) == 0) ++sure; else ++possible
    }
    END { print sure ? "race" : possible ? "possible" : "clean" }'
}

# Runs one line of `tests`: NAME|SOURCE|VERDICT|ARGUMENTS.
run_test() {
  local name source verdict arguments status seen
  IFS='|' read -r name source verdict arguments <<<"$1"
  local records="$WORK/records/$name"
  mkdir -p "$(dirname "$records")"
  if ! in_time; then
    echo "$name|$verdict|no time|"
  elif [ ! -e "$WORK/$source.out" ]; then
    echo "$name|$verdict|not compiled|"
  else
    cp records "$records"
    # shellcheck disable=SC2086  # several arguments
    HIRACE_RECORDS="$records" timeout -k 5 30 "$WORK/$source.out" $arguments >"$records.log" 2>&1
    status=$(ended $?)
    seen=$(look_at "$records")
    if [ "$seen" != "$verdict" ] || [ "$status" = timeout ]; then
      { echo "== $name: $seen, exit status $status"; tail -n 20 "$records.log"; } >>"$OUT/log.txt"
    fi
    rm -f "$records.log"
    echo "$name|$verdict|$seen|$status"
  fi
}
export -f in_time compile run_test number look_at ended

say "compiling $(wc -l <compilations) programs, $JOBS at a time"
xargs -d '\n' -P "$JOBS" -I {} bash -c 'compile "$1"' _ {} <compilations | tee "$WORK/not-compiled"

# Holds the device code against the specification, for words of one size: BYTES/NAME|ok, or
# what came instead.
self_test() {
  local program="$WORK/$1.out" folder input name
  folder=$(dirname "$1")
  for input in "$folder"/*.input.gz; do
    name=$(basename "$input" .input.gz)
    gunzip -c "$input" >"$WORK/input"
    gunzip -c "$folder/$name.expected.gz" >"$WORK/expected"
    if ! timeout -k 5 60 "$program" "$WORK/input" "$WORK/answers" >"$WORK/self_test.log" 2>&1; then
      echo "${folder#*/}/$name|not run: $(tail -n 1 "$WORK/self_test.log")"
    elif cmp "$WORK/answers" "$WORK/expected" >"$WORK/self_test.log" 2>&1; then
      echo "${folder#*/}/$name|ok"
    else
      echo "${folder#*/}/$name|$(head -n 1 "$WORK/self_test.log")"
    fi
  done
}
: >"$OUT/self_test.txt"
if [ -d self_test ]; then
  say "testing the device code against the specification"
  for main in self_test/*/main.c*; do self_test "$main"; done | tee "$OUT/self_test.txt"
fi

# Several processes at a time share the device; the benchmarks do not.
say "running $(wc -l <tests) tests"
mkdir -p "$WORK/records"
xargs -d '\n' -P "$((JOBS < 4 ? JOBS : 4))" -I {} bash -c 'run_test "$1"' _ {} <tests | sort >"$OUT/tests.txt"
awk -F '|' '$2 != $3 { print "not as expected: " $0 }' "$OUT/tests.txt"

# Runs a benchmark: NAME SIDE ARGUMENT COMMAND…, and keeps what it prints.
measure() {
  local name=$1 side=$2 argument=$3 output="$WORK/measured" status
  shift 3
  if ! in_time; then
    echo "$name|$side|$argument|status|no time" >>"$OUT/measured.txt"
    return
  fi
  # What is slow must not take the time of all others, nor go on for long after the limit.
  local seconds=$((LIMIT + 10 + STARTED - $(date +%s)))
  timeout -k 5 "$((seconds < 40 ? seconds : 40))" "$@" "$argument" >"$output" 2>&1
  status=$(ended $?)
  awk -F ': ' -v line="$name|$side|$argument" 'NF == 2 && $2 + 0 == $2 { print line "|" $1 "|" $2 }' "$output" >>"$OUT/measured.txt"
  echo "$name|$side|$argument|status|$status" >>"$OUT/measured.txt"
  if [ "$status" != 0 ]; then
    echo "failed: $name, $side, $argument: exit status $status"
    { echo "== $name $side $argument: exit status $status"; tail -n 20 "$output"; } >>"$OUT/log.txt"
  fi
}

# The same with a record file, and what is in that.
measure_checked() {
  local name=$1 argument=$2 records="$WORK/records/bench/$1"
  mkdir -p "$(dirname "$records")"
  cp records "$records"
  HIRACE_RECORDS="$records" measure "$name" hirace "$argument" "$WORK/bench/hirace/$name.cu.out"
  echo "$name|hirace|$argument|seen|$(look_at "$records")" >>"$OUT/measured.txt"
}

: >"$OUT/measured.txt"
say "measuring $(wc -l <benchmarks) kernels"
# At a small size results are compared with those of sequential code; at the large one only
# the kernels' times count.
while IFS='|' read -r name small large; do
  measure "$name" plain "$small" "$WORK/bench/plain/$name.cu.out"
  measure_checked "$name" "$small"
  export BENCH_UNCOMPARED=1
  measure "$name" plain "$large" "$WORK/bench/plain/$name.cu.out"
  measure_checked "$name" "$large"
  unset BENCH_UNCOMPARED
done <benchmarks
if command -v compute-sanitizer >/dev/null && [ "$BACKEND" = gpu ]; then
  say "measuring under compute-sanitizer --tool racecheck"
  while IFS='|' read -r name small large; do
    BENCH_UNCOMPARED=1 measure "$name" racecheck "$large" compute-sanitizer --tool racecheck "$WORK/bench/plain/$name.cu.out"
  done <benchmarks
fi

awk -f table.awk -v format=json "$OUT/machine.txt" benchmarks "$OUT/measured.txt" >"$OUT/benchmarks.json"
awk -f table.awk -v format=md "$OUT/machine.txt" benchmarks "$OUT/measured.txt" >"$OUT/benchmarks.md"
tar -C "$WORK" -czf "$OUT/records.tar.gz" records
cat "$OUT/benchmarks.md"
as_expected=$(awk -F '|' '$2 == $3' "$OUT/tests.txt" | wc -l)
failures=$(awk -F '|' '($4 == "status" && $5 != 0) || ($4 == "seen" && $5 != "clean")' "$OUT/measured.txt" | wc -l)
wrong=$(grep -cv '|ok$' "$OUT/self_test.txt")
say "$wrong parts of the self-test went wrong"
say "$as_expected of $(wc -l <"$OUT/tests.txt") tests as expected at first sight; $failures runs of benchmarks failed"
[ ! -s "$WORK/not-compiled" ] && [ "$as_expected" -eq "$(wc -l <tests)" ] && [ "$wrong" -eq 0 ] && [ "$failures" -eq 0 ]
