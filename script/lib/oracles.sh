# The oracles: independent programs in Python that write what the tests must find.
# Sourced after setup.sh.

test_packages=(
  bc bsdextrautils bsdutils fish groff man-db mandoc openssl procps prometheus python3 python3-venv zsh
)

# Servers and clients of HTTP/2 that nobody here wrote.
push_packages=(curl nghttp2-client nghttp2-proxy nghttp2-server nginx openssl python3 python3-venv)

# The folder of the oracles is what they are known by: nothing is compiled into it.
export PYTHONDONTWRITEBYTECODE=1

# Makes a Python of its own with the packages that Tests/FOLDER/requirements.txt names.
prepare_python() { # FOLDER
  local wanted home=.build/$1
  wanted=$(sha256sum "Tests/$1/requirements.txt")
  [ "$wanted" != "$(cat "$home/installed" 2>/dev/null)" ] || return 0
  rm -rf "$home/python"
  mkdir -p "$home"
  /usr/bin/python3 -m venv "$home/python"
  "$home/python/bin/python" -m pip install --quiet --disable-pip-version-check -r "Tests/$1/requirements.txt" ||
    die "the Python packages of Tests/$1 could not be installed: see pip's message above"
  printf '%s\n' "$wanted" >"$home/installed"
}

# The Python of the servers that fail, and of clients of others.
prepare_push_python() {
  prepare_python push
  push_python=.build/push/python/bin/python
}

# Makes the oracles' own Python, with the zone files that they and the tests read.
prepare_zone_files() {
  prepare_python oracles
  oracles_python=.build/oracles/python/bin/python
  oracles_zoneinfo=$("$oracles_python" -c 'import os, tzdata; print(os.path.dirname(tzdata.__file__))')/zoneinfo
}

# Lets each oracle write its expectations, once for each version of them and each seed.
prepare_oracles() {
  local seed=${WORKER_TEST_SEED:-20261120} stamp
  prepare_zone_files
  stamp=$(cat Tests/oracles/*.{py,txt} | sha256sum | cut -c 1-16)-$seed
  oracles_data=$PWD/.build/oracles/$stamp
  say "oracles: seed $seed, $(paste -sd ' ' Tests/oracles/requirements.txt)"
  [ ! -e "$oracles_data/complete" ] || return 0
  rm -rf "$oracles_data"
  mkdir -p "$oracles_data"
  # Each takes a core for a minute, and asks nothing of the others.
  printf '%s\n' cron year zones |
    PYTHONTZPATH='' xargs -P 3 -I '{}' "$oracles_python" 'Tests/oracles/{}.py' "$oracles_data" "$seed"
  touch "$oracles_data/complete"
}
