"""Holds our own provider against clients that nobody here wrote: each sends so many pushes, and is answered for each.

  clients.py MOCK FOLDER PUSHES

What plays the faults for our client must be one that others take for a server, or both could share a mistake. Ends
with 1 when a client counts otherwise than the provider.
"""

import asyncio
import json
import logging
import os
import ssl
import subprocess
import sys
import uuid

import aioapns
import httpx
import kalyke
from faults import Scene
from servers import Mock

SCENE = Scene(None, *sys.argv[1:4], seed=0)
FOLDER, PUSHES = SCENE.folder, SCENE.pushes
PAYLOAD = {"aps": {"alert": {"title": "Three minutes", "body": "Your words of yesterday wait"}}}
IDS = [str(uuid.UUID(int=number + (4 << 76) + (8 << 60))) for number in range(PUSHES)]


def trust():
    context = ssl.create_default_context(cafile=FOLDER / "ca.crt")
    context.set_alpn_protocols(["h2"])
    return context


def of_aioapns(port):
    aioapns.connection.APNsProductionClientProtocol.APNS_SERVER = "localhost"
    aioapns.connection.APNsProductionClientProtocol.APNS_PORT = port
    logging.getLogger("aioapns").setLevel(logging.ERROR)

    async def send():
        client = aioapns.APNs(
            key=(FOLDER / "apns.p8").read_text(), key_id="ABC123DEFG", team_id="TEAM123456", topic="org.example",
            ssl_context=trust())
        answers = await asyncio.gather(*(client.send_notification(aioapns.NotificationRequest(
            device_token="a1b2", message=PAYLOAD, notification_id=name)) for name in IDS))
        return sum(answer.is_successful for answer in answers)

    return asyncio.run(send())


def of_kalyke(port):
    class Client(kalyke.ApnsClient):
        @property
        def _base_url(self):
            return f"https://localhost:{port}"

    client = Client(use_sandbox=False, team_id="TEAM123456", auth_key_id="ABC123DEFG",
                    auth_key_filepath=FOLDER / "apns.p8")

    async def send():
        answers = [await client.send_message("a1b2", PAYLOAD, kalyke.ApnsConfig("org.example", identifier=name))
                   for name in IDS]
        return sum(answer == name for answer, name in zip(answers, IDS))

    return asyncio.run(send())


def of_httpx(port):
    with httpx.Client(http1=False, http2=True, verify=trust()) as client:
        answers = [client.post(f"https://localhost:{port}/3/device/a1b2", json=PAYLOAD, headers={"apns-id": name})
                   for name in IDS]
    return sum(answer.status_code == 200 and answer.http_version == "HTTP/2" for answer in answers)


def of_curl(port):
    requests = "next\n".join(
        f'url = "https://localhost:{port}/3/device/a1b2"\nhttp2\ncacert = "{FOLDER}/ca.crt"\nheader = "apns-id: {name}"\n'
        f'data = "{{}}"\nwrite-out = "%{{http_code}} %{{http_version}}\\n"\n' for name in IDS)
    told = subprocess.run(["curl", "--disable", "--silent", "--config", "-"], input=requests, text=True,
                          stdout=subprocess.PIPE, timeout=60).stdout
    return told.split("\n").count("200 2")


def of_h2load(port):
    (FOLDER / "push.json").write_text(json.dumps(PAYLOAD))
    told = subprocess.run(
        ["h2load", "-n", str(PUSHES), "-c", "2", "-m", "20", "-d", FOLDER / "push.json",
         "-H", f"apns-id: {IDS[0]}", f"https://localhost:{port}/3/device/a1b2"],
        stdout=subprocess.PIPE, text=True, timeout=60).stdout
    words = next(line for line in told.split("\n") if line.startswith("status codes: ")).split()
    return int(words[2])


def main():
    os.environ["SSL_CERT_FILE"] = str(FOLDER / "ca.crt")
    is_right = True
    for name, send in {"aioapns": of_aioapns, "kalyke-apns": of_kalyke, "httpx": of_httpx, "curl": of_curl,
                       "h2load": of_h2load}.items():
        provider = Mock(SCENE, "none", PUSHES)
        try:
            taken = send(provider.port)
        finally:
            provider.stop()
        # h2load has one header for all its requests.
        expected = {IDS[0]: PUSHES} if name == "h2load" else dict.fromkeys(IDS, 1)
        right = taken == PUSHES and provider.worked == expected and not provider.broken
        is_right = is_right and right
        print(f"{name}: {taken} of {PUSHES} answered, {sum(provider.worked.values())} worked on"
              + ("" if right else ", which is not what was sent"), file=sys.stderr, flush=True)
    sys.exit(0 if is_right else 1)


if __name__ == "__main__":
    main()
