"""aioapns as a process of its own: it says when it is connected, then sends what it is told to.

    peer_aioapns.py PORT FOLDER PUSHES WINDOW

The authority of the server is in FOLDER, and the key. As many connections as it opens by itself, with as many pushes on
their way at once as WINDOW says.
"""

import asyncio
import logging
import ssl
import sys
import uuid

from aioapns import APNs, NotificationRequest, connection

PORT, FOLDER, PUSHES, WINDOW = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
MESSAGE = {
    "aps": {
        "alert": {"title": "Three minutes for your Spanish", "body": "Your words of yesterday wait"},
        "sound": "default"}}

connection.APNsProductionClientProtocol.APNS_SERVER = "localhost"
connection.APNsProductionClientProtocol.APNS_PORT = PORT
logging.getLogger("aioapns").setLevel(logging.ERROR)


async def send(client, number):
    answer = await client.send_notification(NotificationRequest(
        device_token=f"{number:064x}", message=MESSAGE, notification_id=str(uuid.UUID(int=number)),
        collapse_key="daily", priority=5))
    if not answer.is_successful:
        raise SystemExit(f"a push was not sent: {answer.status} {answer.description}")


async def worker(client, numbers):
    for number in numbers:
        await send(client, number)


async def main():
    trust = ssl.create_default_context(cafile=f"{FOLDER}/ca.crt")
    trust.set_alpn_protocols(["h2"])
    with open(f"{FOLDER}/apns.p8") as file:
        key = file.read()
    client = APNs(key=key, key_id="ABC123DEFG", team_id="TEAM123456", topic="org.example.learning",
                  ssl_context=trust)
    await send(client, PUSHES + 1)
    print("ready", flush=True)
    sys.stdin.readline()
    numbers = iter(range(PUSHES))
    await asyncio.gather(*(worker(client, numbers) for _ in range(WINDOW)))
    print("sent", flush=True)
    await asyncio.sleep(60)


asyncio.run(main())
