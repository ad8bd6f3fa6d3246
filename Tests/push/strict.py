"""An HTTP/2 server that refuses every frame the rules forbid, and plays one fault.

  strict.py PORT CERTIFICATE KEY FAULT [EVERY [LATENCY-MS [SEED]]]

It prints "ready" when it listens. At SIGTERM it prints one line of JSON: how often each identifier was worked on,
how the client broke the rules, which headers it has put into the compressor's table, how many connections there
were, and what authorized the requests. "Worked on" is what matters: a request
that is refused by its stream's code or by GOAWAY is not, all else that arrived whole is.
"""

import asyncio
import json
import random
import signal
import socket
import ssl
import struct
import sys

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
import h2.settings
import hyperframe.frame

port, certificate, key, fault = int(sys.argv[1]), *sys.argv[2:5]
every = int(sys.argv[5]) if len(sys.argv) > 5 else 50
latency = float(sys.argv[6]) / 1000 if len(sys.argv) > 6 else 0.0
dice = random.Random(int(sys.argv[7]) if len(sys.argv) > 7 else 1)

# How many bytes of a body a server takes before it has made room for more.
windows = {"window-0": 0, "window-16": 16, "window-shut": 16}

worked = {}
broken_rules = []
arrived = 0
connections = 0
table = set()
bearers = set()


class Server(asyncio.Protocol):
    def connection_made(self, transport):
        global connections
        connections += 1
        self.transport = transport
        self.number = connections
        self.open = {}
        self.last_worked = 0
        self.limit = None
        self.leaves = False
        self.is_gone = False
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        if fault == "goaway-first" and self.number % 2 == 1:
            self.transport.write(hyperframe.frame.GoAwayFrame(0, 0, 0, b'{"reason":"Shutdown"}').serialize())
            self.transport.close()
            self.is_gone = True
            return
        if fault == "close-first" and self.number % 2 == 1:
            self.transport.close()
            self.is_gone = True
            return
        streams = {"one-stream": 1, "settings": 1}.get(fault, 1000)
        self.h2.local_settings = h2.settings.Settings(
            client=False,
            initial_values={h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: streams,
                            h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: windows.get(fault, 65535),
                            h2.settings.SettingCodes.ENABLE_PUSH: 0})
        self.h2.initiate_connection()
        self.flush()

    def connection_lost(self, error):
        self.is_gone = True

    def flush(self):
        if self.is_gone:
            return
        data = self.h2.data_to_send()
        if data:
            self.transport.write(data)

    def data_received(self, data):
        if self.is_gone:
            return
        try:
            events = self.h2.receive_data(data)
        except h2.exceptions.ProtocolError as error:
            broken_rules.append(f"{type(error).__name__}: {error}")
            self.flush()
            self.transport.close()
            return
        for event in events:
            self.hear(event)
            if self.is_gone:
                return
        self.flush()

    def hear(self, event):
        if isinstance(event, h2.events.RequestReceived):
            headers = {name.decode(): value.decode() for name, value in event.headers}
            self.open[event.stream_id] = headers.get("apns-id") or headers[":path"]
            if fault == "window-0":
                self.h2.increment_flow_control_window(10_000, event.stream_id)
            bearers.add(headers.get("authorization", ""))
            table.update(name.decode() for name, _ in self.h2.decoder.header_table.dynamic_entries)
        elif isinstance(event, h2.events.DataReceived) and fault != "window-shut":
            self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamEnded):
            if event.stream_id in self.open:
                self.request(event.stream_id)
        elif isinstance(event, h2.events.StreamReset):
            self.open.pop(event.stream_id, None)

    def work(self, stream):
        """The moment from which on a push would be on its way to a learner."""
        identifier = self.open[stream]
        worked[identifier] = worked.get(identifier, 0) + 1
        self.last_worked = max(self.last_worked, stream)

    def request(self, stream):
        global arrived
        if self.limit is not None and stream > self.limit:
            self.open.pop(stream, None)
            return
        arrived += 1
        strikes = arrived % every == 0
        if fault.startswith("rst-") and strikes:
            code = int(fault[4:])
            if code != h2.errors.ErrorCodes.REFUSED_STREAM:
                self.work(stream)
            self.h2.reset_stream(stream, code)
            self.open.pop(stream, None)
            return
        self.work(stream)
        if fault == "silence" and strikes:
            return
        self.later(latency * dice.uniform(0.5, 1.5), self.answer, stream, strikes)
        if strikes:
            self.strike()

    def later(self, seconds, call, *arguments):
        if seconds > 0:
            asyncio.get_running_loop().call_later(seconds, call, *arguments)
        else:
            call(*arguments)

    def strike(self):
        if fault == "goaway":
            self.go_away(self.last_worked)
        elif fault == "goaway-twice" and not self.leaves:
            self.leaves = True
            self.send_go_away(2**31 - 1)
            self.later(0.005, lambda: self.go_away(self.last_worked))
        elif fault == "goaway-abrupt":
            self.go_away(self.last_worked)
            self.end()
        elif fault == "goaway-error":
            self.go_away(self.last_worked, h2.errors.ErrorCodes.ENHANCE_YOUR_CALM)
            self.end()
        elif fault == "tcp-reset":
            self.cut()
        elif fault == "fin":
            self.end()
        elif fault == "settings":
            most = {1: 1000, 1000: 10, 10: 1000}[self.h2.local_settings.max_concurrent_streams]
            self.h2.update_settings({h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: most})

    def send_go_away(self, last, code=0):
        """By hand: the library would call the connection closed, and answer nothing that is out."""
        self.flush()
        reason = b'{"reason":"Shutdown"}'
        if not self.is_gone:
            self.transport.write(hyperframe.frame.GoAwayFrame(0, last, int(code), reason).serialize())

    def go_away(self, last, code=0):
        if self.limit is not None or self.is_gone:
            return
        self.limit = last
        self.send_go_away(last, code)
        for stream in [stream for stream in self.open if stream > last]:
            del self.open[stream]
        self.end_when_done()

    def end_when_done(self):
        if self.limit is not None and not self.open:
            self.end()

    def end(self):
        if not self.is_gone:
            self.flush()
            self.is_gone = True
            self.transport.close()

    def cut(self):
        if not self.is_gone:
            self.is_gone = True
            self.transport.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()

    def answer(self, stream, strikes):
        if self.is_gone or stream not in self.open:
            return
        identifier = self.open.pop(stream)
        status, more, body = "200", [], b""
        if strikes and fault[:3] in ("429", "500", "503", "410"):
            status, body = fault[:3], b'{"reason":"TooManyRequests"}'
            if fault.endswith("-after"):
                more = [("retry-after", "1")]
        slow = strikes and fault == "slow-body"
        big = strikes and fault == "big-body"
        try:
            self.h2.send_headers(stream, [(":status", status), ("apns-id", identifier), *more],
                                 end_stream=not body and not slow and not big)
            if body:
                self.h2.send_data(stream, body, end_stream=True)
            elif slow:
                self.drip(stream)
            elif big:
                self.pour(stream, 10_000_000)
        except h2.exceptions.ProtocolError:
            pass
        self.flush()
        self.end_when_done()

    def drip(self, stream):
        """One byte now and then, for longer than anybody waits."""
        try:
            self.h2.send_data(stream, b" ")
        except h2.exceptions.ProtocolError:
            return
        self.flush()
        if not self.is_gone:
            self.later(0.1, self.drip, stream)

    def pour(self, stream, left):
        try:
            room = min(left, self.h2.local_flow_control_window(stream), 16000)
            if room > 0:
                self.h2.send_data(stream, bytes(room))
            left -= room
        except h2.exceptions.ProtocolError:
            return
        self.flush()
        if not self.is_gone and left > 0:
            self.later(0.001, self.pour, stream, left)


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(certificate, key)
    if fault != "no-h2":
        context.set_alpn_protocols(["h2"])
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Server, "127.0.0.1", port, ssl=context)
    done = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, done.set)
    print("ready", flush=True)
    await done.wait()
    server.close()
    print(json.dumps(
        {"worked": worked, "broken": broken_rules, "table": sorted(table), "connections": connections,
         "bearers": sorted(bearers)}), flush=True)


asyncio.run(main())
