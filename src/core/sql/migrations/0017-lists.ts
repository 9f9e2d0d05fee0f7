import type { Dialect } from "../dialect.ts"

/** Lists by category, tag or name, with the status in every index, so that a page costs what it holds. */
export const up = ({ integer, clustered, textByCodePoint, nameKey }: Dialect) => [
  // Derived from the pet's json, like its category.
  `ALTER TABLE pets ADD COLUMN name_key ${textByCodePoint} NOT NULL DEFAULT ''`,
  `UPDATE pets SET name_key = ${nameKey("json")}`,
  `CREATE INDEX pets_by_name ON pets (status, name_key, id)`,
  `DROP INDEX pets_by_category`,
  `CREATE INDEX pets_by_category ON pets (category_id, status, id)`,

  `CREATE TABLE pet_tags_of_status (
     tag_id ${integer} NOT NULL REFERENCES tags (id),
     status TEXT NOT NULL,
     pet_id ${integer} NOT NULL REFERENCES pets (id),
     PRIMARY KEY (tag_id, status, pet_id)
   ) ${clustered}`,
  `INSERT INTO pet_tags_of_status (tag_id, status, pet_id)
   SELECT tag_id, pets.status, pet_id FROM pet_tags JOIN pets ON pets.id = pet_id ORDER BY 1, 2, 3`,
  `DROP TABLE pet_tags`,
  `ALTER TABLE pet_tags_of_status RENAME TO pet_tags`,
  `CREATE INDEX pet_tags_by_pet ON pet_tags (pet_id)`,
]
