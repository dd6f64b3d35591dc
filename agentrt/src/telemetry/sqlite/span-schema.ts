/** What is in `PRAGMA user_version` of a file. Files of version 0 have `spans` as a table. */
export const schemaVersion = 2;

/** Rows whose traces are in one row of `span_blocks`. */
export const blockLength = 4096;

const columns =
  "id, name, trace_id, span_id, parent_span_id, kind, start_time, end_time, status, error_message, agent_name, " +
  "llm_model, llm_tokens_in, llm_tokens_out, llm_cost_usd, attributes_json";

const idAt = (from: number, length: number): string =>
  `lower(hex(substr(r.ids, ${from}, ${length})))`;
const oddId = (index: number): string => `json_extract(r.ids, '$[${index}]')`;
const isOdd = "typeof(r.ids) = 'text'";

const uuidDigits: readonly (readonly [from: number, length: number])[] = [
  [1, 4],
  [5, 2],
  [7, 2],
  [9, 2],
  [11, 6],
];
const messageId = uuidDigits
  .map(([from, length]) => `lower(hex(substr(r.attributes, ${from}, ${length})))`)
  .join(" || '-' || ");
const ownAttributes = `CASE WHEN typeof(r.attributes) = 'blob' THEN '"agentrt.message_id":"' || ${messageId} || '"' ELSE r.attributes END`;

/** Rows as records; a condition on `r` may follow. The shapes are looked up, never looked through. */
export const selectSpans = `SELECT r.id AS id, s.name AS name,
  CASE WHEN ${isOdd} THEN ${oddId(0)} ELSE ${idAt(1, 16)} END AS trace_id,
  CASE WHEN ${isOdd} THEN ${oddId(1)} ELSE ${idAt(17, 8)} END AS span_id,
  CASE WHEN ${isOdd} THEN ${oddId(2)} WHEN length(r.ids) > 24 THEN ${idAt(25, 8)} END AS parent_span_id,
  s.kind AS kind, r.start_time AS start_time, r.end_time AS end_time, s.status AS status,
  r.error_message AS error_message, s.agent_name AS agent_name, s.llm_model AS llm_model,
  r.llm_tokens_in AS llm_tokens_in, r.llm_tokens_out AS llm_tokens_out, r.llm_cost_usd AS llm_cost_usd,
  '{' || s.attributes || CASE WHEN r.attributes IS NULL THEN '' WHEN s.attributes = '' THEN ${ownAttributes}
    ELSE ',' || ${ownAttributes} END || '}' AS attributes_json
  FROM span_rows AS r LEFT JOIN span_shapes AS s ON s.id = r.shape`;

const tables = `
CREATE TABLE span_shapes(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL, agent_name TEXT,
  llm_model TEXT, attributes TEXT NOT NULL);
CREATE TABLE span_rows(
  id INTEGER PRIMARY KEY AUTOINCREMENT, shape INTEGER NOT NULL, ids BLOB NOT NULL, start_time REAL NOT NULL,
  end_time REAL NOT NULL, attributes, error_message TEXT, llm_tokens_in INTEGER, llm_tokens_out INTEGER,
  llm_cost_usd REAL);
CREATE INDEX span_rows_by_start ON span_rows(start_time);
CREATE TABLE span_blocks(id INTEGER PRIMARY KEY, traces BLOB NOT NULL);`;

/** Makes a file's tables. Those of hours are the same in all versions. */
export const createTables = `${tables}
CREATE VIEW spans AS ${selectSpans};
CREATE TABLE span_hours(
  hour INTEGER NOT NULL, agent_name TEXT NOT NULL, name TEXT NOT NULL, llm_model TEXT NOT NULL,
  span_count INTEGER NOT NULL, error_count INTEGER NOT NULL, duration_seconds REAL NOT NULL,
  llm_tokens_in INTEGER NOT NULL, llm_tokens_out INTEGER NOT NULL, llm_cost_usd REAL NOT NULL,
  PRIMARY KEY(hour, agent_name, name, llm_model)) WITHOUT ROWID;
PRAGMA user_version = ${schemaVersion};`;

/** Goes on in a file of version 0: its spans stay as they are, in a table of another name, with the numbers they have. */
export const migrateTables = `ALTER TABLE spans RENAME TO spans_before;
${tables}
INSERT INTO sqlite_sequence(name, seq) SELECT 'span_rows', COALESCE(MAX(id), 0) FROM spans_before;
CREATE VIEW spans AS ${selectSpans} UNION ALL SELECT ${columns} FROM spans_before;
PRAGMA user_version = ${schemaVersion};`;
