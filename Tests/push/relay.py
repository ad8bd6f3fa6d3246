"""A network between a client and a server that spoils every connection after some bytes of the client.

  relay.py PORT SERVER-PORT tcp-reset|fin|silence BYTES
"""

import asyncio
import socket
import struct
import sys

port, server_port, fault, limit = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4])


async def serve(reader, writer):
    try:
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", server_port)
    except OSError:
        writer.close()
        return
    state = {"is_spoilt": False}

    async def pass_on(source, target, counts):
        passed = 0
        while data := await source.read(65536):
            if state["is_spoilt"]:
                if fault == "silence":
                    continue
                return
            passed += len(data)
            if counts and passed > limit:
                spoil()
                continue
            target.write(data)
            await target.drain()
        if not state["is_spoilt"]:
            target.close()

    def spoil():
        state["is_spoilt"] = True
        if fault == "silence":
            return
        for end in (writer, server_writer):
            if fault == "tcp-reset":
                end.get_extra_info("socket").setsockopt(
                    socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                end.transport.abort()
            else:
                end.close()

    await asyncio.gather(
        pass_on(reader, server_writer, True), pass_on(server_reader, writer, False), return_exceptions=True)
    for end in (writer, server_writer):
        end.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", port)
    print("ready", flush=True)
    await server.serve_forever()


asyncio.run(main())
