"""Puts the tables that a case writes back to where they were, so that each round begins from the same rows."""

SILENT = "SET session_replication_role = replica; SET synchronous_commit = off; SET jit = off; "


class Undo:
    """What the tables held when a case began.

    A copy of a whole database takes minutes at a million learners. What a run has written is found by the
    number of its transactions instead: what it has added is deleted, and what it has replaced or deleted comes back
    from a copy of the few tables that are not only added to, each row where it was if it is there still.
    """

    def __init__(self, server, changed, grown):
        self.server, self.changed, self.grown = server, changed, grown

    @classmethod
    def finish(cls, server):
        """Puts back what a benchmark has left that was broken off in the middle of a case."""
        if server.ask("SELECT to_regclass('kept.mark') IS NOT NULL") == "t":
            found = server.rows("SELECT changed, grown, empty, first FROM kept.mark")[0]
            undo = cls(server, found["changed"], found["grown"])
            undo.empty, undo.first = found["empty"], found["first"]
            for table in undo.changed + undo.grown:
                undo.restore(table)
            server.ask("TRUNCATE jobkit.run CASCADE")
        server.ask("DROP SCHEMA IF EXISTS kept CASCADE")

    def keep(self):
        self.server.ask("CREATE SCHEMA kept; " + " ".join(
            f"CREATE UNLOGGED TABLE kept.{table} AS TABLE learning.{table};" for table in self.changed))
        self.empty = [table for table in self.changed + self.grown if self.is_empty(table)]
        self.mark()
        names = ["'{" + ",".join(tables) + "}'::text[]" for tables in (self.changed, self.grown, self.empty)]
        self.server.ask(f"CREATE TABLE kept.mark AS SELECT {names[0]} AS changed, {names[1]} AS grown, "
                        f"{names[2]} AS empty, {self.first}::bigint AS first")

    def is_empty(self, table):
        return self.server.ask(f"SELECT NOT EXISTS (SELECT FROM learning.{table})") == "t"

    def mark(self):
        self.first = int(self.server.ask("SELECT pg_current_xact_id()"))
        self.before = self.changes()

    def changes(self):
        rows = self.server.rows("SELECT relname AS name, n_tup_ins + n_tup_upd + n_tup_del AS count "
                                "FROM pg_stat_user_tables WHERE schemaname = 'learning'")
        return {row["name"]: row["count"] for row in rows}

    def undo(self):
        after = self.changes()
        touched = [table for table in after if after[table] != self.before[table]]
        stray = set(touched) - set(self.changed) - set(self.grown)
        if stray:
            raise SystemExit(f"bench: tables are written that the case does not name: {sorted(stray)}")
        for table in touched:
            self.restore(table)
        self.server.ask("CHECKPOINT")
        self.mark()

    def restore(self, table):
        name = f"learning.{table}"
        if table in self.empty:
            return self.server.ask(f"{SILENT} TRUNCATE {name} CASCADE; ANALYZE {name};")
        if table not in self.changed:
            self.server.ask(f"{SILENT} DELETE FROM {name} WHERE xmin::text::bigint >= {self.first}")
            return self.server.ask(f"VACUUM ANALYZE {name}")
        columns = ", ".join(self.columns(table))
        same = " AND ".join(f"now.{column} = kept.{column}" for column in self.key(table))
        self.server.ask(f"{SILENT} DELETE FROM {name} AS now WHERE xmin::text::bigint >= {self.first} "
                        f"AND NOT EXISTS (SELECT FROM kept.{table} AS kept WHERE {same})")
        # What was replaced goes first: so there is room for a row to come back on the page that it is on.
        self.server.ask(f"VACUUM {name}")
        self.server.ask(f"{SILENT} UPDATE {name} AS now SET ({columns}) = ROW ({self.columns_of_kept(table)}) "
                        f"FROM kept.{table} AS kept WHERE now.xmin::text::bigint >= {self.first} AND {same}; "
                        f"INSERT INTO {name} ({columns}) SELECT {columns} FROM kept.{table} AS kept "
                        f"WHERE NOT EXISTS (SELECT FROM {name} AS now WHERE {same})")
        self.server.ask(f"VACUUM ANALYZE {name}")

    def key(self, table):
        """Whatever is in a key: rows that have swapped what is unique are deleted both, and come back both."""
        return [row["name"] for row in self.server.rows(
            "SELECT DISTINCT attname AS name FROM pg_index JOIN pg_attribute ON attrelid = indrelid "
            f"AND attnum = ANY (indkey) WHERE indisunique AND indrelid = 'learning.{table}'::regclass")]

    def columns(self, table):
        """Those that are written: generated ones come by themselves."""
        return [row["name"] for row in self.server.rows(
            "SELECT attname AS name FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped AND attgenerated = '' "
            f"AND attrelid = 'learning.{table}'::regclass")]

    def columns_of_kept(self, table):
        return ", ".join(f"kept.{column}" for column in self.columns(table))

    def forget(self):
        self.server.ask("DROP SCHEMA kept CASCADE")
