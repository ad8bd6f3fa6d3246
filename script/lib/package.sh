# The Debian package. Sourced after setup.sh.

package_packages=(dpkg-dev gzip xz-utils)
most_package_bytes=6000000

# Packs BINARY, with what stands beside it in the folder SOURCES, into a file of FOLDER: its path in $package.
make_package() { # BINARY SOURCES FOLDER
  local work stage epoch
  work=$(mktemp -d)
  stage=$work/stage
  mkdir -m 0755 "$stage"
  epoch=$(date_of_sources "$2")
  read_version "$1" "$2"
  (umask 022 && lay_out "$1" "$2" "$stage" "$epoch" && describe "$2" "$stage" "$work")
  find "$stage" -exec touch --no-dereference --date="@$epoch" {} +
  mkdir -p "$3"
  package=$3/batch-worker_${package_version}_$(dpkg --print-architecture).deb
  # With several threads xz would write other bytes on another machine.
  SOURCE_DATE_EPOCH=$epoch dpkg-deb --root-owner-group -Zxz --threads-max=1 --build "$stage" "$work/deb" >/dev/null
  mv "$work/deb" "$package"
  rm -rf "$work"
  [ "$(stat --format=%s "$package")" -le "$most_package_bytes" ] ||
    die "$package has $(stat --format=%s "$package") bytes, $most_package_bytes at most"
}

# The moment that every file of the package bears: that of the commit, or outside a clone of the changelog.
date_of_sources() { # SOURCES
  [ -z "${SOURCE_DATE_EPOCH:-}" ] || { printf '%s\n' "$SOURCE_DATE_EPOCH" && return; }
  git log -1 --format=%ct 2>/dev/null || dpkg-parsechangelog --file "$1/deploy/debian/changelog" --show-field Timestamp
}

# The changelog's version, which is the program's and a revision of the package.
read_version() { # BINARY SOURCES
  local said
  package_version=$(dpkg-parsechangelog --file "$2/deploy/debian/changelog" --show-field Version)
  said=$("$1" version | sed -n '1s/^worker //p')
  [ "${package_version%-*}" = "$said" ] ||
    die "the program is $said, and deploy/debian/changelog begins with $package_version: add an entry to it"
}

# Every file where Debian wants it.
lay_out() { # BINARY SOURCES STAGE EPOCH
  local binary=$1 sources=$2 root=$3 doc=$3/usr/share/doc/batch-worker page
  install -D "$binary" "$root/usr/bin/worker"
  install -D --mode=0644 --target-directory="$root/lib/systemd/system" "$sources"/deploy/systemd/*.service
  install -D --mode=0644 "$sources/deploy/systemd/worker.sysusers" "$root/usr/lib/sysusers.d/worker.conf"
  install -D --mode=0644 "$sources/deploy/systemd/worker.tmpfiles" "$root/usr/lib/tmpfiles.d/worker.conf"
  install -D --mode=0644 "$sources/deploy/systemd/worker.env" "$root/etc/default/worker"
  install -D --mode=0644 "$sources/config/worker.toml" "$root/etc/worker/worker.toml"
  for page in worker.1 worker.toml.5; do
    mkdir -p "$root/usr/share/man/man${page##*.}"
    SOURCE_DATE_EPOCH=$4 "$binary" manual "${page%.*}" | gzip -9n >"$root/usr/share/man/man${page##*.}/$page.gz"
  done
  complete_in bash "$root/usr/share/bash-completion/completions/worker"
  complete_in zsh "$root/usr/share/zsh/vendor-completions/_worker"
  complete_in fish "$root/usr/share/fish/vendor_completions.d/worker.fish"
  install -D --mode=0644 --target-directory="$doc" "$sources"/docs/* "$sources/deploy/debian/copyright"
  install -D --mode=0644 "$sources/deploy/systemd/README.md" "$doc/systemd.md"
  install -D --mode=0644 --target-directory="$doc/examples" "$sources/deploy/systemd/worker-run@.timer"
  install -D --mode=0644 --target-directory="$doc/examples" "$sources"/deploy/{prometheus/alerts.yml,grafana/worker.json}
  install -D --mode=0644 --target-directory="$doc/examples/messages" "$sources"/config/messages/*.toml
  lead_links_in "$doc"
  gzip -9n <"$sources/deploy/debian/changelog" >"$doc/changelog.Debian.gz"
}

# Lets the pages lead to what stands beside them here; of what only the sources have, the name remains.
lead_links_in() { # FOLDER, for lay_out
  sed -i -e 's#](\.\./deploy/systemd/README\.md#](systemd.md#g' \
    -e 's#](\.\./deploy/\(prometheus\|grafana\)/#](examples/#g' \
    -e 's#](\.\./\.\./docs/#](#g' -e 's#](\.\./\.\./config/#](/etc/worker/#g' \
    -e 's#\[\([^]]*\)\](\.\./[^)]*)#\1#g' "$1"/*.md
}

complete_in() { # SHELL FILE, for lay_out
  mkdir -p "$(dirname "$2")"
  "$binary" completions "$1" >"$2"
}

# What dpkg has to know of it.
describe() { # SOURCES STAGE WORK
  local control=$2/DEBIAN size libraries
  mkdir "$control"
  size=$(find "$2" -type f -printf '%s\n' | awk '{ sum += int(($1 + 1023) / 1024) } END { print sum }')
  libraries=$(needed_libraries "$2" "$3")
  (cd "$2" && find . -type f -not -path './DEBIAN/*' -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum) >"$control/md5sums"
  (cd "$2" && find etc -type f -printf '/%p\n' | LC_ALL=C sort) >"$control/conffiles"
  sed -e "s/@VERSION@/$package_version/" -e "s/@ARCHITECTURE@/$(dpkg --print-architecture)/" \
    -e "s/@SIZE@/$size/" -e "s/@LIBRARIES@/$libraries/" "$1/deploy/debian/control" >"$control/control"
  install --target-directory="$control" "$1"/deploy/debian/{postinst,prerm,postrm}
}

# The packages, and which version of each at least, whose libraries the program was linked with.
needed_libraries() { # STAGE WORK
  mkdir "$2/debian"
  printf 'Source: batch-worker\n\nPackage: batch-worker\nArchitecture: any\n' >"$2/debian/control"
  (cd "$2" && dpkg-shlibdeps -O "$1/usr/bin/worker") | sed -n 's/^shlibs:Depends=//p'
}

# What a package says that it needs, a PostgreSQL and systemd.
root_packages() { # PACKAGE
  {
    dpkg-deb --field "$1" Depends | tr ',' '\n' | sed 's/^ *\([^ ]*\).*/\1/'
    printf 'postgresql\nsystemd-sysv\n'
  } | sort | paste -sd ,
}

# A Debian with nothing but that, fetched once: its tarball in $bare_root.
fetch_bare_root() { # PACKAGE SCRATCH
  local packages
  packages=$(root_packages "$1")
  bare_root=.build/bare-root/$(sha256sum <<<"$packages" | cut -c 1-16).tar.zst
  [ ! -e "$bare_root" ] || return 0
  say "fetching a bare Debian"
  rm -rf .build/bare-root
  mkdir -p .build/bare-root
  as_root mmdebstrap --quiet --variant=minbase --include="$packages" bookworm "$2/fetched.tar.zst" >&2 ||
    die "a bare Debian could not be fetched: see above"
  cp "$2/fetched.tar.zst" "$bare_root.part"
  mv "$bare_root.part" "$bare_root"
}
