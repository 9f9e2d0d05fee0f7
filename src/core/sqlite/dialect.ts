import type { Dialect } from "../sql/dialect.ts"

export const sqliteDialect: Dialect = {
  name: "sqlite",
  placeholder: () => "?",
  // The planner looks at a bare placeholder here, and then plans the statement again each time a value is bound to it.
  limit: (placeholder) => `LIMIT ${placeholder} + 0`,
  generatedId: "INTEGER PRIMARY KEY AUTOINCREMENT",
  integer: "INTEGER",
  tableOptions: "STRICT",
  clustered: "STRICT, WITHOUT ROWID",
  slots: 1,
  elements: (placeholder) => `SELECT value FROM json_each(${placeholder})`,
  now: "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)",
  textByCodePoint: "TEXT",
  nameKey: (column) => `name_key(json_extract(${column}, '$.name'))`,
  jsonInteger: (column, path) => `json_extract(${column}, '$.${path.join(".")}')`,
}
