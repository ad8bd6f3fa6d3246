"""Holds deploy/kubernetes against what the image is and what the daemon needs, as far as no cluster is asked.

    manifests.py FOLDER

Leaves in FOLDER what a pod is given: `worker.toml`, and `probes`, `args` and `migrate` with a word on each line; a line
between two probes is empty.
"""

import re
import sys
from pathlib import Path

import yaml

HERE = Path("deploy/kubernetes")


def read(name):
    return yaml.safe_load((HERE / name).read_text())


def seconds(text):
    number, unit = re.fullmatch(r"(\d+)([sm])", text).groups()
    return int(number) * {"s": 1, "m": 60}[unit]


def check_pod(pod, settings, secret):
    security = pod["securityContext"]
    assert security["runAsNonRoot"] and security["seccompProfile"] == {"type": "RuntimeDefault"}
    assert f'USER {security["runAsUser"]}:{security["runAsGroup"]}\n' in Path("deploy/container/Containerfile").read_text()
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    assert volumes["settings"]["configMap"]["name"] == settings["metadata"]["name"]
    given = volumes["password"]["secret"]
    assert given["secretName"] == secret["metadata"]["name"]
    assert all(item["key"] in secret["stringData"] for item in given["items"])
    [container] = pod["containers"]
    own = container["securityContext"]
    assert own == {
        "readOnlyRootFilesystem": True, "allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert set(mounts) == set(volumes), "each volume is mounted, and nothing else"
    file = re.search(r'password_file = "(.*)"', settings["data"]["worker.toml"]).group(1)
    assert file in [f'{mounts["password"]}/{item["path"]}' for item in given["items"]]
    assert mounts["settings"] == "/etc/worker"
    return container, mounts


settings, secret = read("settings.yaml"), read("secret.yaml")
deployment, migrate = read("deployment.yaml"), read("migrate.yaml")
template = deployment["spec"]["template"]
assert deployment["spec"]["replicas"] >= 2
assert deployment["spec"]["selector"]["matchLabels"] == template["metadata"]["labels"]
worker, mounts = check_pod(template["spec"], settings, secret)
owner, _ = check_pod(migrate["spec"]["template"]["spec"], settings, secret)
assert worker["image"] == owner["image"]
assert mounts["state"] == "/var/lib/worker"
drain = worker["args"][worker["args"].index("--drain") + 1]
assert template["spec"]["terminationGracePeriodSeconds"] > seconds(drain) + 10
[port] = worker["ports"]
probes = [worker[kind]["exec"]["command"] for kind in ("startupProbe", "livenessProbe", "readinessProbe")]
for probe in probes:
    assert probe[0] == "/usr/bin/worker" and probe[-1].endswith(f':{port["containerPort"]}')
assert f':{port["containerPort"]}"' in settings["data"]["worker.toml"]

folder = Path(sys.argv[1])
(folder / "worker.toml").write_text(settings["data"]["worker.toml"])
(folder / "args").write_text("\n".join(worker["args"]) + "\n")
(folder / "migrate").write_text("\n".join(owner["args"]) + "\n")
(folder / "probes").write_text("\n\n".join("\n".join(probe[1:]) for probe in probes) + "\n")
