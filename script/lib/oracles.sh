# The oracles: independent programs in Python that write what the tests must find.
# Sourced after setup.sh.

test_packages=(bc procps python3 python3-venv openssl)

# Makes the oracles' Python and lets each write its expectations, once for each version of them.
prepare_oracles() {
  local seed=${WORKER_TEST_SEED:-20261120} stamp python oracle
  stamp=$(cat Tests/oracles/* | sha256sum | cut -c 1-16)-$seed
  python=.build/oracles/python/bin/python
  oracles_data=$PWD/.build/oracles/$stamp
  if [ ! -e "$oracles_data/complete" ]; then
    rm -rf "$oracles_data"
    mkdir -p "$oracles_data"
    [ -x "$python" ] || /usr/bin/python3 -m venv .build/oracles/python
    "$python" -m pip install --quiet --disable-pip-version-check -r Tests/oracles/requirements.txt ||
      die "the oracles' Python packages could not be installed: see pip's message above"
    for oracle in zones cron; do
      PYTHONTZPATH='' "$python" "Tests/oracles/$oracle.py" "$oracles_data" "$seed"
    done
    touch "$oracles_data/complete"
  fi
  oracles_zoneinfo=$("$python" -c 'import os, tzdata; print(os.path.join(os.path.dirname(tzdata.__file__), "zoneinfo"))')
  # The unprivileged server may have to read these folders too.
  say "oracles: seed $seed, tzdata $(sed -n 's/^tzdata==//p' Tests/oracles/requirements.txt)"
}
