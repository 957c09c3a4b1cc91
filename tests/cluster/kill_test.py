#!/usr/bin/env python3
"""SIGKILL at any moment of `tenpin sweep`, of its shards and of `tenpin merge` costs rows, never a table.

    kill_test.py PROGRAM [KILLS]

After every kill each table is a sound database whose rows are those of an undisturbed study; at the end the same
commands complete it to the same bits.
"""
import contextlib
import json
import os
import random
import sqlite3
import subprocess
import sys
import time

from place import study_place

TRIALS = 1500


def read_rows(path):
    """Rows by trial; fails the test if the file is damaged."""
    with contextlib.closing(sqlite3.connect(path)) as table:
        assert table.execute("PRAGMA integrity_check").fetchall() == [("ok",)], path
        if not table.execute("SELECT 1 FROM sqlite_master WHERE name = 'trials'").fetchall():
            return {}
        return {row[0]: row for row in table.execute("SELECT * FROM trials")}


class Commands:
    """What is killed, how long it takes when it is not, and the table that it leaves."""

    def __init__(self, place):
        sweep = [place.program, "sweep", "study.yaml", "-q", "--threads", "1", "-o"]
        self.place = place
        self.words = {"whole.sqlite": sweep + ["whole.sqlite"],
                      "shard-1.sqlite": sweep + ["shard-1.sqlite", "--shard", "1/2"],
                      "shard-2.sqlite": sweep + ["shard-2.sqlite", "--shard", "2/2"],
                      "all.sqlite": [place.program, "merge", "shard-1.sqlite", "shard-2.sqlite", "-o", "all.sqlite"]}
        self.seconds = {}
        for table, words in self.words.items():
            begin = time.monotonic()
            place.run(*words)
            self.seconds[table] = time.monotonic() - begin

    def forget(self, table):
        for end in ("", "-wal", "-shm"):
            (self.place.folder / (table + end)).unlink(missing_ok=True)

    def kill(self, table, delay):
        """True if the kill came before the end."""
        with subprocess.Popen([str(word) for word in self.words[table]], cwd=self.place.folder,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as child:
            time.sleep(delay)
            child.kill()
            return child.wait() != 0


def main(program, kills):
    with study_place(program, TRIALS) as place:
        expected_hash = place.sweep_alone()
        expected = read_rows(place.folder / "alone.sqlite")
        assert len(expected) == TRIALS
        commands = Commands(place)
        chance = random.Random(4)
        for table in ("whole.sqlite", "all.sqlite"):
            assert place.hash_of(table) == expected_hash
        struck = 0
        while struck < kills:
            table = chance.choice(list(commands.words))
            path = place.folder / table
            if path.exists() and (table == "all.sqlite" or chance.random() < 0.2):
                commands.forget(table)
            # Shards must be there to be merged.
            for shard in ("shard-1.sqlite", "shard-2.sqlite"):
                if table == "all.sqlite" and not (place.folder / shard).exists():
                    place.run(*commands.words[shard])
            struck += commands.kill(table, chance.uniform(0.2, 1.0) * commands.seconds[table])
            rows = read_rows(path) if path.exists() else {}
            assert rows.items() <= expected.items(), (table, struck)
            drafts = [file for file in place.folder.glob("*.part*")]
            for draft in drafts:  # of a merge that was killed; nothing reads them
                draft.unlink()
            if table != "all.sqlite" and len(rows) >= TRIALS // (1 if table == "whole.sqlite" else 2):
                commands.forget(table)
        for words in commands.words.values():
            place.run(*words)
        for table in ("whole.sqlite", "all.sqlite"):
            assert place.hash_of(table) == expected_hash, table
    print(json.dumps({"kills": struck, "table_hash": expected_hash}))
    return 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 8))
