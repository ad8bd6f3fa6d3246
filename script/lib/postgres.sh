# A private PostgreSQL: its own data folder, a unix socket and nothing else, never as root.
# Sourced after setup.sh.

# PGPORT and its like mean another server, and reach both PostgreSQL and those who connect.
unset "${!PG@}"

require_postgres() {
  postgres_bin=$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)
  [ -x "${postgres_bin:-}/initdb" ] ||
    die "PostgreSQL's server programs are missing below /usr/lib/postgresql: install the package postgresql"
}

# What runs a command as somebody whom PostgreSQL accepts: the caller, or 'postgres' when that is root.
# A session of its own: neither Ctrl-C nor a closed terminal reaches it. These are words before a command
# and no function: a function in the background is one more shell, and its id not the server's.
as_server_user=(setsid)
[ "$(id -u)" != 0 ] || as_server_user+=(setpriv --reuid=postgres --regid=postgres --clear-groups)

own_by_server_user() { # FOLDER
  [ "$(id -u)" != 0 ] || chown postgres:postgres "$1"
}

# Refuses a folder below which no server can listen.
require_server_path() { # FOLDER MOST-BYTES
  local LC_ALL=C
  [[ $1 == /* ]] || die "'$1' is no absolute path: choose a folder whose path begins with '/'"
  # It stands in lists and in connection strings, where these have a meaning.
  [[ $1 != *[\'\"\\,[:space:][:cntrl:]]* ]] ||
    die "'$1' has a blank, a quote, a comma or a backslash in it: choose another folder"
  [ ${#1} -le "$2" ] ||
    die "'$1' is too long a path for a unix socket ($2 bytes at most): choose another folder"
}

make_server() { # FOLDER ROLE: data in FOLDER/data, socket in FOLDER/socket
  [ ! -e "$1/data" ] || return 0
  mkdir -p "$1/socket"
  chmod 700 "$1/socket"
  own_by_server_user "$1/socket"
  "${as_server_user[@]}" test -w "$1/socket" ||
    die "the user 'postgres' cannot get into '$1': choose a folder below ones that everybody may pass through"
  # Made under another name: what an interruption leaves is never taken for a server.
  local data=$1/data-in-making
  rm -rf "$data"
  mkdir -m 700 "$data"
  own_by_server_user "$data"
  "${as_server_user[@]}" "$postgres_bin/initdb" --pgdata="$data" --username="$2" --auth=trust \
    --encoding=UTF8 --locale=C --no-sync >"$1/initdb.log" 2>&1 ||
    die "PostgreSQL could not make its data folder in '$1': see $1/initdb.log"
  mv "$data" "$1/data"
}

# For how many seconds a server may start or stop: one with a large log to read, or many pages to write, needs longer.
server_patience=300

# Starts the server of FOLDER, its output in FOLDER/server.log, its id in $server_pid.
start_server() { # FOLDER [SETTING…]
  local folder=$1 setting arguments=()
  shift
  ! "$postgres_bin/pg_isready" --quiet --host="$folder/socket" ||
    die "a server runs already in '$folder', process $(head -n 1 "$folder/data/postmaster.pid"): stop it first"
  for setting in "$@"; do arguments+=(-c "$setting"); done
  # Its shared memory is in its own folder too: a server that is killed leaves nothing behind.
  "${as_server_user[@]}" "$postgres_bin/postgres" -D "$folder/data" -c listen_addresses= \
    -c dynamic_shared_memory_type=mmap \
    -c "unix_socket_directories=$folder/socket" "${arguments[@]}" \
    </dev/null >>"$folder/server.log" 2>&1 &
  server_pid=$!
  local tries=0
  until "$postgres_bin/pg_isready" --quiet --host="$folder/socket"; do
    kill -0 "$server_pid" 2>/dev/null || die "PostgreSQL ended while it started: see $folder/server.log"
    tries=$((tries + 1))
    [ "$tries" -lt $((server_patience * 20)) ] ||
      die "PostgreSQL did not answer for $server_patience seconds: see $folder/server.log"
    sleep 0.05
  done
}

stop_server() { # PID [SIGNAL]
  kill -"${2:-INT}" "$1" 2>/dev/null || return 0
  local tries=0
  while kill -0 "$1" 2>/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -lt $((server_patience * 20)) ] ||
      die "PostgreSQL (process $1) did not stop within $server_patience seconds"
    sleep 0.05
  done
}

# Runs COMMAND with the server that was started last on one core, the first or the last. One thread that asks one server
# and waits for it is a third faster where neither has to wake the other on another core.
on_one_core() { # first|last COMMAND…
  local cores one
  cores=$(taskset --pid --cpu-list $$ | sed 's/.*: //')
  if [ "$1" = first ]; then one=${cores%%[,-]*}; else one=${cores##*[,-]}; fi
  stay_on "$one"
  "${@:2}"
  stay_on "$cores"
}

stay_on() { # CORES
  taskset --pid --cpu-list "$1" $$ >/dev/null
  taskset --pid --cpu-list "$1" "$server_pid" >/dev/null
}
