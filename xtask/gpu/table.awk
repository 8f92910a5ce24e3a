# What run.sh measured, as JSON or as a Markdown table.
#
# usage: awk -f table.awk -v format=json|md machine.txt benchmarks measured.txt
#
# Slowdowns are ratios of the median times of one run. Shadow is what the checked program has of
# the device's memory beyond what the plain one has, over the bytes of data, as the difference
# between the two sizes: tables of fixed size do not count.

function quoted(text) {
  gsub(/\\/, "\\\\", text)
  gsub(/"/, "\\\"", text)
  return "\"" text "\""
}
function known(name, side, size, key) { return (name, side, size, key) in value }
function number(name, side, size, key) { return known(name, side, size, key) ? value[name, side, size, key] + 0 : "" }
function succeeded(name, side, size) { return value[name, side, size, "status"] == "0" }
function time(name, side) { return succeeded(name, side, large[name]) ? number(name, side, large[name], "milliseconds") : "" }
# Empty where it is not known.
function ratio(a, b) { return a == "" || b == "" || b + 0 == 0 ? "" : a / b }
function beyond(name, size) {
  if (!known(name, "hirace", size, "device bytes") || !known(name, "plain", size, "device bytes")) return ""
  return number(name, "hirace", size, "device bytes") - number(name, "plain", size, "device bytes")
}
# What a kernel takes of a multiprocessor; the CPU executor has none, and makes its answers up.
function taken(name, side, key) { return machine["backend"] == "gpu" ? number(name, side, large[name], key) : "" }
function shadow(name,   more, data) {
  more = beyond(name, large[name])
  if (more == "" || beyond(name, small[name]) == "") return ""
  data = number(name, "plain", large[name], "data bytes") - number(name, "plain", small[name], "data bytes")
  return ratio(more - beyond(name, small[name]), data)
}
function seen(name,   word) {
  if (value[name, "hirace", large[name], "status"] == "no time") return "no time"
  word = value[name, "hirace", large[name], "seen"]
  if (value[name, "hirace", small[name], "seen"] != "clean") word = value[name, "hirace", small[name], "seen"]
  if (!succeeded(name, "plain", small[name]) || !succeeded(name, "hirace", small[name]) || !succeeded(name, "hirace", large[name])) word = "failed"
  return word
}
function json(it, digits) { return it == "" ? "null" : sprintf("%." digits "f", it) }
function cell(it, digits) { return it == "" ? "–" : sprintf("%." digits "f", it) }

FILENAME != file { file = FILENAME; ++files }
files == 1 { at = index($0, ": "); machine[substr($0, 1, at - 1)] = substr($0, at + 2); next }
{ split($0, field, "|") }
files == 2 { names[++count] = field[1]; small[field[1]] = field[2]; large[field[1]] = field[3]; next }
{ value[field[1], field[2], field[3], field[4]] = field[5] }

END {
  for (i = 1; i <= count; ++i) {
    slowdown[i] = ratio(time(names[i], "hirace"), time(names[i], "plain"))
    racecheck[i] = ratio(time(names[i], "racecheck"), time(names[i], "plain"))
    if (slowdown[i] != "" && slowdown[i] > 0) { logs += log(slowdown[i]); ++logged }
    if (racecheck[i] != "" && racecheck[i] > 0) { racecheck_logs += log(racecheck[i]); ++racecheck_logged }
  }
  mean = logged ? exp(logs / logged) : ""
  racecheck_mean = racecheck_logged ? exp(racecheck_logs / racecheck_logged) : ""
  if (format == "json") print_json()
  else print_table()
}

function print_json(   i, n, key, parts) {
  split("date prepared backend device driver compiler racecheck", parts, " ")
  print "{"
  for (i = 1; i in parts; ++i) printf "  %s: %s,\n", quoted(parts[i]), quoted(machine[parts[i]])
  printf "  \"slowdown\": %s,\n  \"racecheck_slowdown\": %s,\n  \"kernels\": [\n", json(mean, 3), json(racecheck_mean, 3)
  for (i = 1; i <= count; ++i) {
    n = names[i]
    printf "    {\"name\": %s, \"size\": %s, \"seen\": %s, \"plain_ms\": %s, \"checked_ms\": %s, \"racecheck_ms\": %s,", quoted(n), quoted(large[n]), quoted(seen(n)), json(time(n, "plain"), 4), json(time(n, "hirace"), 4), json(time(n, "racecheck"), 4)
    printf " \"slowdown\": %s, \"racecheck_slowdown\": %s, \"shadow_bytes_per_byte\": %s,", json(slowdown[i], 3), json(racecheck[i], 3), json(shadow(n), 3)
    printf " \"registers\": [%s, %s], \"occupancy\": [%s, %s]}%s\n", json(taken(n, "plain", "registers"), 0), json(taken(n, "hirace", "registers"), 0), json(taken(n, "plain", "occupancy"), 2), json(taken(n, "hirace", "occupancy"), 2), i < count ? "," : ""
  }
  print "  ]\n}"
}

function print_table(   i, n) {
  printf "%s, %s; driver %s; %s; compute-sanitizer: %s; hirace %s.\n\n", machine["date"], machine["device"], machine["driver"], machine["compiler"], machine["racecheck"] == "" ? "not there" : machine["racecheck"], machine["prepared"]
  print "| kernel | size | found | plain, ms | checked, ms | slowdown | racecheck's slowdown | shadow bytes per byte | registers | occupancy |"
  print "|---|---|---|---|---|---|---|---|---|---|"
  for (i = 1; i <= count; ++i) {
    n = names[i]
    printf "| `%s` | %s | %s | %s | %s | %s | %s | %s | %s → %s | %s → %s |\n", n, large[n], seen(n), cell(time(n, "plain"), 3), cell(time(n, "hirace"), 3), cell(slowdown[i], 2), cell(racecheck[i], 2), cell(shadow(n), 2), cell(taken(n, "plain", "registers"), 0), cell(taken(n, "hirace", "registers"), 0), cell(taken(n, "plain", "occupancy"), 2), cell(taken(n, "hirace", "occupancy"), 2)
  }
  printf "| geometric mean | | | | | %s | %s | | | |\n", cell(mean, 2), cell(racecheck_mean, 2)
}
