import type { Dialect } from "../dialect.ts"

/** A pet's tags are found in its own text, so that adding one changes one tree instead of two. */
export const up = (dialect: Dialect) => (dialect.name === "postgres" ? inPlace : rebuilt(dialect))

const inPlace = [`DROP INDEX pet_tags_by_pet`, `ALTER TABLE pet_tags DROP CONSTRAINT pet_tags_of_status_pet_id_fkey`]

const rebuilt = ({ integer, clustered }: Dialect) => [
  `CREATE TABLE pet_tags_of_text (
     tag_id ${integer} NOT NULL REFERENCES tags (id),
     status TEXT NOT NULL,
     pet_id ${integer} NOT NULL,
     PRIMARY KEY (tag_id, status, pet_id)
   ) ${clustered}`,
  `INSERT INTO pet_tags_of_text (tag_id, status, pet_id)
   SELECT tag_id, status, pet_id FROM pet_tags ORDER BY tag_id, status, pet_id`,
  `DROP TABLE pet_tags`,
  `ALTER TABLE pet_tags_of_text RENAME TO pet_tags`,
]
