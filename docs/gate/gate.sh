#!/usr/bin/env bash
# Run irbounds gate in a GitHub Action: three lines in the log and a table in the job summary.
# Inputs are environment variables, so that no text of an input is run. The exit status is that of the gate.
set -u

arguments=(gate --format=markdown)
for option in measures margin require undecided identical; do
  name=$(printf '%s' "$option" | tr '[:lower:]' '[:upper:]')
  value=${!name:-}
  if [ -n "$value" ]; then
    arguments+=("--$option=$value")
  fi
done
arguments+=(-- "${QRELS:-}" "${OLD:-}" "${NEW:-}")

log=$(mktemp)
table=$(irbounds "${arguments[@]}" 2> "$log")
status=$?

# names of systems and measures must not be read as commands of the workflow
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
echo "::stop-commands::$token"
cat "$log"
echo "::$token::"

{
  if [ -n "$table" ]; then
    printf '%s\n' "$table"
    grep '^warning: ' "$log" | sed 's/^/\n> /'
  else
    printf '**The gate could not run (exit status %s).**\n\n' "$status"
    sed 's/^/    /' "$log"
  fi
} >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
echo "status=$status" >> "${GITHUB_OUTPUT:-/dev/null}"
rm -f "$log"
exit "$status"
