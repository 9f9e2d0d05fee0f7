import type { Dialect } from "../dialect.ts"

/** Changes touch fewer pages: an event without a position is in no index of positions, a pet's tag in two trees. */
export const up = ({ integer, clustered }: Dialect) => [
  `DROP INDEX events_by_position`,
  `CREATE UNIQUE INDEX events_by_position ON events (position) WHERE position IS NOT NULL`,
  `DROP INDEX events_by_account`,
  `CREATE INDEX events_by_account ON events (account_id, position) WHERE position IS NOT NULL`,

  `CREATE TABLE pet_tags_clustered (
     tag_id ${integer} NOT NULL REFERENCES tags (id),
     pet_id ${integer} NOT NULL REFERENCES pets (id),
     PRIMARY KEY (tag_id, pet_id)
   ) ${clustered}`,
  `INSERT INTO pet_tags_clustered (tag_id, pet_id) SELECT tag_id, pet_id FROM pet_tags ORDER BY tag_id, pet_id`,
  `DROP TABLE pet_tags`,
  `ALTER TABLE pet_tags_clustered RENAME TO pet_tags`,
  `CREATE INDEX pet_tags_by_pet ON pet_tags (pet_id)`,
]
