"""Boots a real systemd in a container, and lets inside.py try the service there.

The container has the host's /usr under a layer of its own, its own /etc and /var, and no network but its
loopback. Called with the release binary, the debug binary and a scratch folder.
"""

import os
import shutil
import signal
import subprocess
import sys

from cgroups import OwnGroup

# What programs ask of /etc before they do anything.
BORROWED = ["passwd", "group", "nsswitch.conf", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "ssl"]
LONGEST = 900

CHECK = """[Unit]
Description=What is to be shown of the worker's units
SuccessAction=exit
FailureAction=exit

[Service]
Type=oneshot
WorkingDirectory=/source
Environment=PYTHONDONTWRITEBYTECODE=1
ExecStart=/usr/bin/python3 /source/Tests/systemd/inside.py
StandardOutput=file:/source/report
StandardError=inherit
TimeoutStartSec=170
"""


class Container:
    def __init__(self, release, debug, scratch):
        self.release, self.debug = release, debug
        self.name = f"worker-test-{os.getpid()}"
        self.root, self.layer, self.source = (f"{scratch}/{part}" for part in ("root", "usr", "source"))
        for folder in (self.root, self.layer, self.source):
            os.makedirs(folder)
            os.chmod(folder, 0o755)

    def furnish(self):
        """Lays out the root, and the sources as whoever builds the worker has them."""
        for folder in ["usr", "etc/systemd/system", "etc/default", "var/lib", "run", "proc", "sys", "dev", "tmp",
                       "root", "opt", "source"]:
            os.makedirs(f"{self.root}/{folder}")
        for link in ["bin", "sbin", "lib", "lib64"]:
            os.symlink(f"usr/{link}", f"{self.root}/{link}")
        for name in filter(lambda name: os.path.exists(f"/etc/{name}"), BORROWED):
            subprocess.run(["cp", "-a", f"/etc/{name}", f"{self.root}/etc/"], check=True)
        self.write("etc/machine-id", "")
        self.write("etc/os-release", "ID=test\nNAME=test\n")
        self.write("etc/systemd/system/check.service", CHECK)
        for part in ["deploy", "config", "Tests/systemd"]:
            shutil.copytree(part, f"{self.source}/{part}")
        os.makedirs(f"{self.source}/.build/release")
        shutil.copy(self.release, f"{self.source}/.build/release/worker")
        shutil.copy(self.debug, f"{self.source}/worker-debug")

    def write(self, path, text):
        with open(f"{self.root}/{path}", "w") as file:
            file.write(text)

    def libraries(self):
        """The folders outside /usr in which the debug binary finds the libraries of the toolchain."""
        said = subprocess.run(["ldd", self.debug], check=True, capture_output=True, text=True).stdout
        found = [line.split("=>")[1].split()[0] for line in said.splitlines() if "=> /" in line]
        folders = {os.path.dirname(path) for path in found}
        return sorted(folder for folder in folders if not folder.startswith(("/usr/", "/lib")))

    def boot(self):
        """Boots, and returns what inside.py reported once the container is off again."""
        words = ["systemd-nspawn", "--quiet", f"--machine={self.name}", f"--directory={self.root}", "--boot",
                 "--register=no", "--keep-unit", "--private-network", f"--overlay=/usr:{self.layer}:/usr",
                 f"--bind={self.source}:/source", *(f"--bind-ro={folder}" for folder in self.libraries()),
                 "systemd.unit=check.service", "systemd.show_status=no"]
        group = OwnGroup(self.name)
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, preexec_fn=group.enter)
        try:
            console, _ = process.communicate(timeout=LONGEST)
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                process.wait()
            self.tidy(group)
        return console

    def tidy(self, group):
        """Removes what systemd-nspawn leaves behind."""
        group.remove()
        for place in ("propagate", "unix-export", "locks"):
            path = f"/run/systemd/nspawn/{place}/{self.name}"
            if os.path.isdir(path):
                os.rmdir(path)


def main():
    container = Container(*sys.argv[1:])
    container.furnish()
    console = container.boot()
    try:
        with open(f"{container.source}/report") as file:
            report = file.read()
    except FileNotFoundError:
        report = ""
    print(report, end="")
    if not report.endswith("all of it holds\n"):
        sys.exit(f"systemd: the container said:\n{console}")


main()
