#!/bin/sh
# In place of ptxas: compiles the functions of a file once, where ptxas compiles them again for each kernel that
# calls them. What ptxas writes then is linked, as nvcc does with -rdc=true.
tools=@TOOLS@
output=
architecture=
verbose=
previous=
for word in "$@"; do
  case $previous in
    -o | --output-file) output=$word ;;
    -arch | --gpu-name) architecture=$word ;;
  esac
  case $word in
    --output-file=*) output=${word#*=} ;;
    -arch=* | --gpu-name=*) architecture=${word#*=} ;;
    -v | --verbose) verbose=-v ;;
    # Linked later, or in need of every variable's place.
    -c | --compile-only | -ewp | --extensible-whole-program | -g | --device-debug) output= && break ;;
  esac
  previous=$word
done
if [ -n "$output" ] && [ -n "$architecture" ] && "$tools/ptxas" --compile-only "$@" 2>"$output.messages"; then
  linked=$output.linked.cubin
  if mv "$output" "$output.cubin" && "$tools/nvlink" $verbose -m64 -arch="$architecture" "$output.cubin" -o "$linked" >>"$output.messages" 2>&1; then
    cat "$output.messages" >&2
    rm "$output.cubin" "$output.messages"
    exec mv "$linked" "$output"
  fi
fi
[ -z "$output" ] || rm -f "$output.cubin" "$output.messages" "$output.linked.cubin"
exec "$tools/ptxas" "$@"
