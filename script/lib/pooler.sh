# A pgbouncer in transaction mode before a private PostgreSQL. Sourced after postgres.sh.

pooler_packages=(pgbouncer)

# Debian starts one of its own as soon as the package is there. Nobody asked for it.
prepare_pooler() {
  is_installed pgbouncer && return 0
  install_missing "${pooler_packages[@]}"
  as_root systemctl disable --now --quiet pgbouncer 2>/dev/null || true
}

# Starts a pooler before the server of FOLDER, its socket in FOLDER/pooler, its id in $pooler_pid.
# Everybody is let in whom the server knows.
start_pooler() { # FOLDER ROLE
  local folder=$1/pooler
  mkdir -p "$folder"
  chmod 700 "$folder"
  own_by_server_user "$folder"
  printf '"%s" ""\n' "$2" >"$1/pooler-users"
  cat >"$1/pooler.ini" <<INI
[databases]
* = host=$1/socket auth_user=$2
[pgbouncer]
pool_mode = transaction
listen_addr =
unix_socket_dir = $folder
auth_type = trust
auth_file = $1/pooler-users
max_client_conn = 500
default_pool_size = 20
server_idle_timeout = 5
log_connections = 0
log_disconnections = 0
INI
  "${as_server_user[@]}" /usr/sbin/pgbouncer --quiet "$1/pooler.ini" </dev/null >>"$1/pooler.log" 2>&1 &
  pooler_pid=$!
  local tries=0
  until "$postgres_bin/psql" --quiet --host="$folder" --port=6432 --username="$2" --dbname=postgres \
    --command='SELECT' >/dev/null 2>&1; do
    kill -0 "$pooler_pid" 2>/dev/null || die "pgbouncer ended while it started: see $1/pooler.log"
    tries=$((tries + 1))
    [ "$tries" -lt 200 ] || die "pgbouncer did not answer for 10 seconds: see $1/pooler.log"
    sleep 0.05
  done
}
