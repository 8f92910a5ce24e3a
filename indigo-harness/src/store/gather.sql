-- Merges the content of the temporary tables `input_*` (one row each, with the number of the
-- database that it is from) into one database. Nothing here depends on these numbers' order.

INSERT INTO main.session (started, finished, planned, command, version, machine)
SELECT DISTINCT started, finished, planned, command, version, machine FROM input_session
ORDER BY started, finished, planned, command, version, machine;

INSERT INTO main.program (suite, name, pattern, options, bugs, label, digest)
SELECT DISTINCT suite, name, pattern, options, bugs, label, digest FROM input_program
ORDER BY suite, name, digest;

INSERT INTO main.graph (name, vertices, edges, digest)
SELECT name, vertices, edges, digest FROM input_graph
GROUP BY name, digest ORDER BY min(id), name, digest;

INSERT INTO main.shape (threads, blocks, warp_size)
SELECT threads, blocks, warp_size FROM input_shape
GROUP BY threads, blocks, warp_size ORDER BY min(id), threads, blocks, warp_size;

-- From the rows of the inputs to the rows of the merged database.
CREATE TEMP TABLE to_program AS
SELECT old.input, old.id AS old, new.id AS new
FROM input_program old JOIN main.program new USING (suite, name, digest);

CREATE TEMP TABLE to_graph AS
SELECT old.input, old.id AS old, new.id AS new
FROM input_graph old JOIN main.graph new USING (name, digest);

CREATE TEMP TABLE to_shape AS
SELECT old.input, old.id AS old, new.id AS new
FROM input_shape old JOIN main.shape new USING (threads, blocks, warp_size);

INSERT INTO main.build (program, tool, warp_size, digest, outcome, seconds, message)
SELECT program, tool, warp_size, digest, outcome, seconds, message FROM (
    SELECT p.new AS program, tool, warp_size, digest, outcome, seconds, message,
           row_number() OVER (PARTITION BY p.new, tool, warp_size
                              ORDER BY outcome, digest, seconds, message) AS choice
    FROM input_build b JOIN to_program p ON p.input = b.input AND p.old = b.program)
WHERE choice = 1 ORDER BY program, tool, warp_size;

-- Every run of every database, the one to keep first.
CREATE TEMP TABLE candidate AS
SELECT p.new AS program, g.new AS graph, s.new AS shape, r.tool, r.input, r.id AS old, r.verdict,
       row_number() OVER (PARTITION BY p.new, g.new, s.new, r.tool
                          ORDER BY v.place, seconds, kernel_seconds, peak_bytes, races, detail,
                                   report) AS choice
FROM input_run r
JOIN to_program p ON p.input = r.input AND p.old = r.program
JOIN to_graph g ON g.input = r.input AND g.old = r.graph
JOIN to_shape s ON s.input = r.input AND s.old = r.shape
JOIN verdict v ON v.name = r.verdict;

CREATE INDEX temp.candidate_run ON candidate (program, graph, shape, tool);

INSERT INTO main.run (program, graph, shape, tool, verdict, detail, races, seconds,
                      kernel_seconds, peak_bytes, report)
SELECT c.program, c.graph, c.shape, c.tool, r.verdict, r.detail, r.races, r.seconds,
       r.kernel_seconds, r.peak_bytes, r.report
FROM candidate c JOIN input_run r ON r.input = c.input AND r.id = c.old
WHERE c.choice = 1 ORDER BY c.program, c.graph, c.shape, c.tool;
