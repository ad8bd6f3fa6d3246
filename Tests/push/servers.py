"""The servers of the fault matrix: how each is started, and how it says what it has worked on."""

import collections
import json
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Server:
    """One server with one fault; `worked` says, after its end, how often it worked on each identifier."""

    def __init__(self, scene, fault, every):
        self.scene, self.fault, self.every = scene, fault, every
        self.port = free_port()
        self.processes = []
        self.broken = []
        self.table = None
        self.output = scene.folder / f"{type(self).__name__}-{fault}.log"
        self.output.unlink(missing_ok=True)
        self.start()
        self.await_port(self.port)
        if fault in self.by_relay:
            self.relay()

    by_relay = ()

    def run(self, *command, output=None):
        with open(output or self.output, "ab") as file:
            process = subprocess.Popen(
                [str(word) for word in command], stdout=file, stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL, cwd=self.scene.folder)
        self.processes.append(process)
        return process

    def await_port(self, port):
        end = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except OSError:
                if time.monotonic() > end:
                    sys.exit(f"{type(self).__name__} does not listen: {self.output.read_text()[-500:]}")
                time.sleep(0.02)

    def relay(self):
        """Puts a network in between that plays what the server itself cannot."""
        inner, self.port = self.port, free_port()
        self.run(sys.executable, HERE / "relay.py", self.port, inner, self.fault, self.every * 200,
                 output=self.scene.folder / "relay.log")
        self.await_port(self.port)

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            process.wait(60)
        self.worked = self.count()

    def beat(self):
        """Called now and then while pushes are on their way."""


class Reporting(Server):
    """A server of ours: it prints its counts at its end."""

    def count(self):
        line = self.output.read_text().strip().split("\n")[-1]
        told = json.loads(line)
        self.broken = told["broken"]
        return told["worked"]


class Mock(Reporting):
    def start(self):
        self.run(self.scene.mock, self.port, self.scene.certificate, self.scene.key, self.fault, self.every,
                 self.scene.latency(self.fault))


class Strict(Reporting):
    def count(self):
        worked = super().count()
        self.table = json.loads(self.output.read_text().strip().split("\n")[-1])["table"]
        return worked

    def start(self):
        self.run(sys.executable, HERE / "strict.py", self.port, self.scene.certificate, self.scene.key,
                 self.fault, self.every, self.scene.latency(self.fault), self.scene.seed)


class Nghttpd(Server):
    """The reference server; it prints every header that it gets."""

    by_relay = ("tcp-reset", "fin", "silence")

    def start(self):
        (self.scene.folder / "www").mkdir(exist_ok=True)
        streams = ["-m1"] if self.fault == "one-stream" else []
        self.run("nghttpd", "-v", "--echo-upload", *streams, "-d", self.scene.folder / "www", self.port, self.scene.key,
                 self.scene.certificate)

    def count(self):
        ids = re.findall(r"recv \(stream_id=[^)]*\) apns-id: (\S+)", self.output.read_text(errors="replace"))
        return collections.Counter(ids)


class Nghttpx(Server):
    """A proxy with limits of its own, before a strict server that counts."""

    by_relay = ("tcp-reset", "fin", "silence")

    def start(self):
        own = ("goaway", "one-stream", *self.by_relay)
        self.behind = Strict(self.scene, "none" if self.fault in own else self.fault, self.every)
        streams = 1 if self.fault == "one-stream" else 100
        self.proxy = self.run(
            "nghttpx", "--conf=/dev/null", f"-f127.0.0.1,{self.port}",
            f"-b127.0.0.1,{self.behind.port};;proto=h2;tls", "-k", "--workers=1",
            f"--frontend-http2-max-concurrent-streams={streams}", "--errorlog-file=/dev/stderr",
            self.scene.key, self.scene.certificate)

    beats = 0

    def beat(self):
        self.beats += 1
        if self.fault == "goaway" and self.beats % 10 == 1:
            # It starts itself anew, and says GOAWAY on its old connections.
            self.proxy.send_signal(signal.SIGHUP)

    def count(self):
        self.behind.stop()
        self.broken = self.behind.broken
        return self.behind.worked


class Nginx(Server):
    """A server that says GOAWAY after 500 requests; it writes each request into its log."""

    by_relay = ("tcp-reset", "fin", "silence")

    def start(self):
        status = self.fault[:3] if self.fault[0] in "45" else "200"
        after = 'add_header Retry-After 1 always;' if self.fault.endswith("-after") else ""
        requests = min(500, self.scene.pushes // 4) if self.fault == "goaway" else 1000000
        streams = 1 if self.fault == "one-stream" else 128
        folder = self.scene.folder
        (folder / "nginx.conf").write_text(f"""
            daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/nginx-error.log;
            events {{ worker_connections 512; }}
            http {{
              log_format id '$http_apns_id $status'; access_log {folder}/nginx-access.log id;
              client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
              uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
              map $http_apns_id $is_struck {{ default 0; ~0$ 1; }}
              server {{
                listen 127.0.0.1:{self.port} ssl http2; ssl_certificate {self.scene.certificate};
                ssl_certificate_key {self.scene.key}; keepalive_requests {requests};
                http2_max_concurrent_streams {streams}; keepalive_timeout 1h;
                location / {{ if ($is_struck) {{ return 418; }} return 200; }}
                error_page 418 = @struck;
                location @struck {{ {after} return {status} '{{"reason":"TooManyRequests"}}'; }}
              }}
            }}""")
        (folder / "nginx-access.log").unlink(missing_ok=True)
        self.run("nginx", "-c", folder / "nginx.conf", "-p", folder)

    def count(self):
        lines = (self.scene.folder / "nginx-access.log").read_text().split("\n")
        return collections.Counter(line.split()[0] for line in lines if line and line[0] != "-")



KINDS = {"mock": Mock, "strict": Strict, "nghttpd": Nghttpd, "nghttpx": Nghttpx, "nginx": Nginx}
