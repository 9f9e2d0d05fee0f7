import type { Dialect } from "../dialect.ts"

/** The ids that a client of the classic v2 sent inside a pet's category and tags, with the names, as JSON. */
export const up = ({ integer, tableOptions }: Dialect) => [
  `CREATE TABLE sent_label_ids (
     pet_id ${integer} NOT NULL PRIMARY KEY REFERENCES pets (id) ON DELETE CASCADE,
     json TEXT NOT NULL
   ) ${tableOptions}`,
]
