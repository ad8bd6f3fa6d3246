# What every script here needs first. Sourced with bash, from the repository's top folder.
set -euo pipefail

# Git asks nobody about a clone that another user owns, as in containers: who runs this script trusts it.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=$PWD

# The Debian packages that building needs: the libraries of the Swift toolchain's own programs, then ours.
build_packages=(
  binutils ca-certificates gcc git libc6-dev libcurl4 libncurses6 libsqlite3-0 libstdc++-12-dev libxml2
  libcurl4-openssl-dev libmicrohttpd-dev libnghttp2-dev libpq-dev libssl-dev libtomlplusplus-dev pkg-config
  postgresql postgresql-contrib tzdata
)

# What the first lines of a script say of it.
usage() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "script/${0##*/}"; }

say() { printf '%s\n' "$*" >&2; }
# Each step says when it begins, in seconds since the script did: who waits sees where its time goes.
step() { printf '\n== %s (%ds)\n' "$*" "$SECONDS" >&2; }
die() {
  printf '%s: %s\n' "${0#"$PWD"/}" "$*" >&2
  exit 1
}

# For a script without options, and for its numbers.
take_no_options() { # WORD…
  case ${1:-} in
    -h | --help) usage && exit ;;
    -*) die "'$1' is not understood: ${0#"$PWD"/} --help shows what can be written" ;;
  esac
}
require_numbers() { # WORD…
  local word
  for word in "$@"; do
    [[ $word =~ ^[0-9]+$ ]] || die "'$word' is no number: ${0#"$PWD"/} --help shows what can be written"
  done
}

# Swift and all that it needs. Its version comes last: without Debian's packages it cannot even say that.
prepare_tools() { # PACKAGE…
  command -v swift >/dev/null ||
    die "Swift is missing: install the Swift 6.2 toolchain or a later one, and put its usr/bin on PATH"
  install_missing "$@"
  require_swift_version
}

require_swift_version() {
  local said version
  said=$(swift --version 2>&1) || die "Swift does not start: '$(head -n 1 <<<"$said")'"
  version=$(sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' <<<"$said" | head -n 1)
  [ "$(printf '%s\n' 6.2 "${version:-0}" | sort -V | head -n 1)" = 6.2 ] ||
    die "Swift ${version:-of an unknown version} is too old: install the Swift 6.2 toolchain or a later one"
}

require_room() { # FOLDER MEGABYTES
  local free
  free=$(df --output=avail -m "$1" | tail -n 1)
  [ "$free" -ge "$2" ] ||
    die "no room in '$(cd "$1" && pwd)': ${free// /} MB are free and $2 MB are needed; free some, or choose another folder"
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
  as_root true || die "sudo refuses: let somebody who may install these packages do it: ${missing[*]}"
  # One after the other: apt waits for nobody who fetches its lists.
  mkdir -p .build
  {
    flock 9
    install_now "${missing[@]}"
  } 9>.build/installing
}

install_now() { # PACKAGE…
  keep_postgres_from_starting
  [[ " $* " != *" prometheus "* ]] || keep_from_starting prometheus
  [[ " $* " != *" redis-server "* ]] || keep_from_starting redis-server
  [[ " $* " != *" nginx "* ]] || keep_from_starting nginx
  [[ " $* " != *" nghttp2-proxy "* ]] || keep_from_starting nghttpx
  as_root apt-get update -qq || die "apt-get update failed: is the network up?"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o Dpkg::Options::=--force-confold "$@" >/dev/null ||
    die "apt-get could not install $*: see its message above"
}

# Debian's package makes and starts a cluster of its own, on a port that may be taken. Nobody asked for it.
keep_postgres_from_starting() {
  is_installed postgresql-common && return 0
  as_root mkdir -p /etc/postgresql-common
  printf 'create_main_cluster = false\n' | as_root tee /etc/postgresql-common/createcluster.conf >/dev/null
}

# Of these only a program is wanted, promtool and redis-server: nobody asked for a service.
keep_from_starting() { # SERVICE
  as_root mkdir -p /etc/systemd/system
  [ -e "/etc/systemd/system/$1.service" ] || as_root ln -s /dev/null "/etc/systemd/system/$1.service"
}

# Builds the one binary that is shipped. A cached manifest, or plan of the build, would keep the commit of yesterday.
build_release() {
  # Without symbols, with functions that are equal byte for byte kept once, and with the addresses that the loader fills in
  # packed: a megabyte less. That needs glibc 2.36, which Debian 12 has.
  local options=(--configuration release --static-swift-stdlib --product worker -Xlinker -s -Xlinker --icf=safe
    -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs)
  swift build --manifest-cache none --disable-build-manifest-caching "${options[@]}" >&2
  release_binary=$(swift build "${options[@]}" --show-bin-path)/worker
}
