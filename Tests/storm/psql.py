"""One session of psql that is asked one thing after the other."""

import subprocess


class Psql:
    END = "-- that is all --"

    def __init__(self, programs, host, database):
        self.process = subprocess.Popen(
            [f"{programs}/psql", "-h", host, "-U", "worker", "-d", database, "-XAtq", "-v", "ON_ERROR_STOP=1"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, sql):
        self.process.stdin.write(f"{sql};\n\\echo {self.END}\n")
        self.process.stdin.flush()
        answer = []
        while (line := self.process.stdout.readline().rstrip("\n")) != self.END:
            assert line or self.process.poll() is None, f"psql gave up at: {sql}"
            answer.append(line)
        return "\n".join(answer)

    def end(self):
        self.process.stdin.close()
        self.process.wait()
