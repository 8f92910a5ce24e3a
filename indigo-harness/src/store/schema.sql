-- Layout of a sweep's results, version 1.

-- One row for each start of a sweep, even if all its runs were already stored. A sweep is complete
-- when its last session has finished.
CREATE TABLE session (
    id       INTEGER PRIMARY KEY,
    started  TEXT NOT NULL,             -- UTC, ISO 8601
    finished TEXT,                      -- UTC; NULL while it runs, or if it was stopped
    planned  INTEGER,                   -- requested runs, including those already stored;
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
    bugs     TEXT NOT NULL,             -- JSON array of the planted bugs
    label    TEXT NOT NULL CHECK (label IN ('clean', 'racy', 'unknown')),
    digest   TEXT NOT NULL,             -- SHA-256 of text and headers
    UNIQUE (suite, name, digest)
);

-- Graphs and shapes are in the order of the sweep's options.
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
    digest    TEXT NOT NULL,            -- SHA-256 of all its inputs
    outcome   TEXT NOT NULL CHECK (outcome IN ('built', 'failed')),
    seconds   REAL NOT NULL,            -- its share of the compiler's time
    message   TEXT,                     -- of the compiler, if it failed
    UNIQUE (program, tool, warp_size)
);

CREATE TABLE run (
    id             INTEGER PRIMARY KEY,
    program        INTEGER NOT NULL REFERENCES program,
    graph          INTEGER NOT NULL REFERENCES graph,
    shape          INTEGER NOT NULL REFERENCES shape,
    tool           TEXT NOT NULL,       -- baseline, hirace-cpu, hirace-gpu, racecheck
    -- race, clean: from a checker. match, differ: compared with the program's own sequential code.
    -- ran: finished without a judgement. fault: an access out of bounds and the like, and no race.
    -- unfit: the program refused the shape. timeout, crash, not-built, error: no verdict.
    verdict        TEXT NOT NULL CHECK (verdict IN ('race', 'clean', 'match', 'differ', 'ran',
                   'fault', 'unfit', 'timeout', 'crash', 'not-built', 'error')),
    detail         TEXT NOT NULL,       -- one line with the reason, or empty
    races          INTEGER NOT NULL,    -- different races
    seconds        REAL NOT NULL,       -- wall time of the process
    kernel_seconds REAL,                -- wall time of its launches, if known
    peak_bytes     INTEGER,             -- largest resident memory, if known
    report         TEXT,                -- JSON, if the tool has one
    UNIQUE (program, graph, shape, tool)
);

CREATE INDEX run_tool ON run (tool, verdict);
