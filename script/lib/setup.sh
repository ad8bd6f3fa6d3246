# What every script here needs first. Sourced with bash, from the repository's top folder.
set -euo pipefail

# The Debian packages that building and testing need beside the Swift toolchain.
build_packages=(
  binutils ca-certificates gcc git libc6-dev libpq-dev libstdc++-12-dev libtomlplusplus-dev
  pkg-config postgresql postgresql-contrib tzdata
)

say() { printf '%s\n' "$*" >&2; }
step() { printf '\n== %s\n' "$*" >&2; }
die() {
  printf '%s: %s\n' "${0#"$PWD"/}" "$*" >&2
  exit 1
}

require_swift() {
  command -v swift >/dev/null ||
    die "Swift is missing: install the Swift 6.2 toolchain or a later one, and put its usr/bin on PATH"
  local version
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
  [ "$(printf '%s\n' 6.2 "${version:-0}" | sort -V | head -n 1)" = 6.2 ] ||
    die "Swift ${version:-of an unknown version} is too old: install the Swift 6.2 toolchain or a later one"
}

require_room() { # FOLDER MEGABYTES
  local free
  free=$(df --output=avail -m "$1" | tail -n 1)
  [ "$free" -ge "$2" ] ||
    die "no room in '$1': ${free// /} MB are free and $2 MB are needed; free some, or choose another folder"
}

is_installed() { dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

install_missing() { # PACKAGE…
  local missing=() package
  command -v dpkg-query >/dev/null ||
    die "this is not a Debian system: install by hand what Debian calls $*, then change 'script/lib/setup.sh'"
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null || die "apt-get is missing: install these packages by hand: ${missing[*]}"
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
    die "these packages are missing and there is no sudo to install them with: ${missing[*]}"
  say "installing ${missing[*]}"
  keep_postgres_from_starting
  as_root apt-get update -qq || die "apt-get update failed: is the network up?"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o Dpkg::Options::=--force-confold "${missing[@]}" >/dev/null ||
    die "apt-get could not install ${missing[*]}: see its message above"
}

# Debian's package makes and starts a cluster of its own, on a port that may be taken. Nobody asked for it.
keep_postgres_from_starting() {
  is_installed postgresql-common && return 0
  as_root mkdir -p /etc/postgresql-common
  printf 'create_main_cluster = false\n' | as_root tee /etc/postgresql-common/createcluster.conf >/dev/null
}

# Builds the one binary that is shipped. A cached manifest would keep the commit of yesterday.
build_release() {
  local options=(--configuration release --static-swift-stdlib --product worker -Xlinker -s)
  swift build --manifest-cache none "${options[@]}" >&2
  release_binary=$(swift build "${options[@]}" --show-bin-path)/worker
}
