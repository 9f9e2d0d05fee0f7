import type { Dialect } from "../dialect.ts"

export const up = ({ integer, tableOptions }: Dialect) => [
  // json describes the image, bytes is the size of all parts, blob their key.
  `CREATE TABLE images (
     sha256 TEXT NOT NULL PRIMARY KEY,
     blob TEXT NOT NULL UNIQUE,
     account_id ${integer} NOT NULL REFERENCES accounts (id),
     bytes ${integer} NOT NULL,
     json TEXT NOT NULL,
     unreferenced_at ${integer}
   ) ${tableOptions}`,
  `CREATE INDEX images_by_account ON images (account_id)`,
  `CREATE INDEX images_by_unreferenced ON images (unreferenced_at)`,

  // The images of a pet's photo URLs, stored here or not; derived from the pet's json.
  `CREATE TABLE pet_images (
     pet_id ${integer} NOT NULL REFERENCES pets (id),
     sha256 TEXT NOT NULL,
     description TEXT,
     PRIMARY KEY (pet_id, sha256)
   ) ${tableOptions}`,
  `CREATE INDEX pet_images_by_image ON pet_images (sha256)`,
]
