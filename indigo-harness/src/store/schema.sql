-- Layout of a sweep's results, version 1.

-- Who swept: one row for each start of a sweep, also where all its runs were there already. The
-- sweep is complete when its last session has an end.
CREATE TABLE session (
    id       INTEGER PRIMARY KEY,
    started  TEXT NOT NULL,             -- UTC, ISO 8601
    finished TEXT,                      -- UTC; NULL while it runs, and where it was stopped
    planned  INTEGER,                   -- runs that were asked for, also those there already;
                                        -- NULL until that is known
    command  TEXT NOT NULL,             -- the command line
    version  TEXT NOT NULL,             -- of hirace
    machine  TEXT NOT NULL              -- processor, cores, system
);

CREATE TABLE program (
    id       INTEGER PRIMARY KEY,
    suite    TEXT NOT NULL,
    name     TEXT NOT NULL,
    pattern  TEXT NOT NULL,             -- pull, conditional_edge, ...
    options  TEXT NOT NULL,             -- JSON array: warp, persistent, a data type, ...
    bugs     TEXT NOT NULL,             -- JSON array of what was planted
    label    TEXT NOT NULL CHECK (label IN ('clean', 'racy', 'unknown')),
    digest   TEXT NOT NULL,             -- SHA-256 of text and headers
    UNIQUE (suite, name, digest)
);

-- Graphs and shapes are in the order in which the sweep was given them.
CREATE TABLE graph (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL,             -- base name of the file
    vertices INTEGER NOT NULL,
    edges    INTEGER NOT NULL,          -- directed
    digest   TEXT NOT NULL,             -- SHA-256 of the file
    UNIQUE (name, digest)
);

CREATE TABLE shape (
    id        INTEGER PRIMARY KEY,
    threads   INTEGER NOT NULL,         -- of a block
    blocks    INTEGER NOT NULL,         -- of the grid
    warp_size INTEGER NOT NULL,         -- lanes
    UNIQUE (threads, blocks, warp_size)
);

CREATE TABLE build (
    id        INTEGER PRIMARY KEY,
    program   INTEGER NOT NULL REFERENCES program,
    tool      TEXT NOT NULL,
    warp_size INTEGER NOT NULL,
    digest    TEXT NOT NULL,            -- SHA-256 of all that went into it
    outcome   TEXT NOT NULL CHECK (outcome IN ('built', 'failed')),
    seconds   REAL NOT NULL,            -- its share of the compiler's time
    message   TEXT,                     -- of the compiler, where it failed
    UNIQUE (program, tool, warp_size)
);

CREATE TABLE run (
    id             INTEGER PRIMARY KEY,
    program        INTEGER NOT NULL REFERENCES program,
    graph          INTEGER NOT NULL REFERENCES graph,
    shape          INTEGER NOT NULL REFERENCES shape,
    tool           TEXT NOT NULL,       -- baseline, hirace-cpu, hirace-gpu, racecheck
    -- race, clean: what a checker says. match, differ: against the program's own sequential code.
    -- ran: to its end, and nobody judged it. fault: out of bounds and the like, and no race.
    -- unfit: the program refused the shape. timeout, crash, not-built, error: no verdict.
    verdict        TEXT NOT NULL CHECK (verdict IN ('race', 'clean', 'match', 'differ', 'ran',
                   'fault', 'unfit', 'timeout', 'crash', 'not-built', 'error')),
    detail         TEXT NOT NULL,       -- one line on why, or empty
    races          INTEGER NOT NULL,    -- different ones
    seconds        REAL NOT NULL,       -- wall time of the process
    kernel_seconds REAL,                -- wall time of its launches, where known
    peak_bytes     INTEGER,             -- largest resident memory, where known
    report         TEXT,                -- JSON, where the tool has one
    UNIQUE (program, graph, shape, tool)
);

CREATE INDEX run_tool ON run (tool, verdict);
