#!/usr/bin/env python3
"""A server of webhooks over TLS, which answers as the path of a request says.

usage: webhook.py CERTIFICATE KEY FOLDER

Writes its port to FOLDER/port, and each request that it got to FOLDER/requests, a JSON document a line. The path is
/STATUS, /STATUS/HEADER/VALUE, /huge (ten megabytes), /reset (the connection ends when the request is there) or
/silence (it stays open, and nothing comes).
"""

import json
import socket
import ssl
import struct
import sys
import threading
from pathlib import Path

certificate, key, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
listener = socket.create_server(("127.0.0.1", 0))
lock = threading.Lock()


def read_request(stream):
    """The first line, the headers and the body of a request."""
    first = stream.readline().decode().strip()
    headers = {}
    while line := stream.readline().decode().strip():
        name, value = line.split(":", 1)
        headers[name.lower()] = value.strip()
    return first, headers, stream.read(int(headers.get("content-length", 0))).decode()


def note(first, headers, body):
    with lock, (folder / "requests").open("a") as file:
        file.write(json.dumps({"first": first, "headers": headers, "body": body}) + "\n")


def answer(connection, path):
    if path == "/silence":
        threading.Event().wait(600)
    if path == "/reset":
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
        return
    if path == "/huge":
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n")
        for _ in range(1000):
            connection.sendall(b"x" * 10000)
        return
    status, *header = path.strip("/").split("/")
    line = f"{header[0]}: {header[1]}\r\n" if header else ""
    connection.sendall(f"HTTP/1.1 {status} Word\r\n{line}Content-Length: 4\r\n\r\nbody".encode())


def serve(raw):
    try:
        with context.wrap_socket(raw, server_side=True) as connection:
            first, headers, body = read_request(connection.makefile("rb"))
            # Who does not believe the certificate ends the connection, and asks nothing.
            if not first:
                return
            note(first, headers, body)
            answer(connection, first.split(" ")[1])
    except OSError:
        pass


(folder / "port.new").write_text(str(listener.getsockname()[1]))
(folder / "port.new").rename(folder / "port")
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
