"""A receiver of messages: writes down what it gets, and answers what the file "status" says.

    receiver.py FOLDER [CERTIFICATE KEY]

writes its port to FOLDER/port once it listens, and a line of JSON for each request to FOLDER/requests.
"""

import http.server
import json
import os
import ssl
import sys

folder = sys.argv[1]


class Receiver(http.server.BaseHTTPRequestHandler):
    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        with open(f"{folder}/requests", "a") as requests:
            requests.write(json.dumps({"method": self.command, "path": self.path, "body": body}) + "\n")
        status = 200
        if os.path.exists(f"{folder}/status"):
            status = int(open(f"{folder}/status").read())
        self.send_response(status)
        self.send_header("Location", f"http://127.0.0.1:{self.server.server_port}/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST = answer

    def log_message(self, *words):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
with open(f"{folder}/port.new", "w") as port:
    port.write(str(server.server_port))
os.rename(f"{folder}/port.new", f"{folder}/port")
server.serve_forever()
