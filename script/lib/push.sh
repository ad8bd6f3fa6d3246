# A provider of pushes for tests: the mock, an authority for this once, and a key that it does not ask for.
# Sourced after setup.sh.

# Makes them in FOLDER: the program mock, ca.crt, localhost.crt with its key, apns.p8.
make_provider() { # FOLDER
  make_certificate "$1" 2>"$1/openssl.log" || die "openssl failed: $(tail -n 3 "$1/openssl.log")"
  gcc -O2 -o "$1/mock" Tests/push/mock.c -lnghttp2 -lssl -lcrypto
}

make_certificate() { # FOLDER, for make_provider
  local new=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes)
  openssl req -x509 -days 2 -subj '/CN=authority of a test' "${new[@]}" -keyout "$1/ca.key" -out "$1/ca.crt"
  openssl req -subj /CN=localhost "${new[@]}" -keyout "$1/localhost.key" -out "$1/localhost.csr"
  printf 'subjectAltName=DNS:localhost\n' >"$1/names"
  openssl x509 -req -days 2 -in "$1/localhost.csr" -CA "$1/ca.crt" -CAkey "$1/ca.key" -CAcreateserial \
    -extfile "$1/names" -out "$1/localhost.crt"
  (umask 077 && openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1/apns.p8")
}
