"""A server of access tokens: gives everybody the same one.

    oauth.py PORT TOKEN
"""

import http.server
import json
import sys


class Server(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps({"access_token": sys.argv[2], "expires_in": 3599, "token_type": "Bearer"}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Server)
print("ready", flush=True)
server.serve_forever()
