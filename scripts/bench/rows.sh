# The rows of a table, each a training: done once, gone on with where it was interrupted. Sourced after common.sh.
#   RUN    the run directory of the row; beside it RUN.settings holds WITH, RUN.log what was said, RUN.score WITH and the figures
#   WITH   a line of all that the row depends on: where it changed, the row is trained anew

# figures_of RUN WITH: of a row that is finished; fails where it is not
figures_of() { [ "$(head -1 "$1.score" 2> /dev/null)" = "$2" ] && tail -1 "$1.score"; }

# train_row RUN WITH CONFIG [OPTION…]: `heed train` by one worker
train_row() {
  local run=$1 with=$2 config=$3 mode=--overwrite
  shift 3
  if [ -e "$run/latest" ] && [ "$(cat "$run.settings" 2> /dev/null)" = "$with" ]; then mode=--resume; fi
  printf '%s\n' "$with" > "$run.settings"
  "$heed" train "$config" --run "$run" $mode --set train.workers=1 "$@" > "$run.log" 2>&1
}

# finish_row LABEL RUN WITH FIGURES: keeps the figures, or says that there are none
finish_row() {
  if [ -n "$4" ]; then
    printf '%s\n%s\n' "$3" "$4" > "$2.score"
    say "$1: $4" >&2
  else
    say "$1: failed, the end of $2.log says: $(tail -1 "$2.log")" >&2
  fi
}
export -f figures_of train_row finish_row say
