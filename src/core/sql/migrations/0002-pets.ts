import type { Dialect } from "../dialect.ts"

export const up = ({ generatedId, integer, tableOptions }: Dialect) => [
  `CREATE TABLE categories (id ${generatedId}, name TEXT NOT NULL UNIQUE) ${tableOptions}`,
  `CREATE TABLE tags (id ${generatedId}, name TEXT NOT NULL UNIQUE) ${tableOptions}`,

  // json is the exact text of responses and etag its hash, so that a read needs no join and no serialisation.
  `CREATE TABLE pets (
     id ${integer} NOT NULL PRIMARY KEY,
     status TEXT NOT NULL,
     json TEXT NOT NULL,
     etag TEXT NOT NULL
   ) ${tableOptions}`,
  `CREATE INDEX pets_by_status ON pets (status, id)`,

  `CREATE TABLE pet_tags (
     tag_id ${integer} NOT NULL REFERENCES tags (id),
     pet_id ${integer} NOT NULL REFERENCES pets (id),
     PRIMARY KEY (tag_id, pet_id)
   ) ${tableOptions}`,
  `CREATE INDEX pet_tags_by_pet ON pet_tags (pet_id)`,

  // The last generated id; ids that clients choose may be above it.
  `CREATE TABLE counters (name TEXT NOT NULL PRIMARY KEY, last ${integer} NOT NULL) ${tableOptions}`,
  `INSERT INTO counters (name, last) VALUES ('pets', 0)`,
]
