#!/bin/sh
# Takes the command away again, except in an update. What was recorded, and the agents' settings, belong to each person:
# `driftline disconnect --all` and `driftline remove --all --delete-history` are theirs to run before.
set -e
case "$1" in upgrade | 1) exit 0 ;; esac
if [ -L /usr/bin/driftline ] && [ "$(readlink /usr/bin/driftline)" = /opt/Driftline/bin/driftline ]; then
  rm -f /usr/bin/driftline
fi
