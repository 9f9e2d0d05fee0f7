import type { Dialect } from "../dialect.ts"

export const up = ({ integer, tableOptions }: Dialect) => [
  // No references: orders outlive their pet and their user.
  `CREATE TABLE orders (
     id ${integer} NOT NULL PRIMARY KEY,
     pet_id ${integer} NOT NULL,
     account_id ${integer} NOT NULL REFERENCES accounts (id),
     user_id ${integer},
     status TEXT NOT NULL,
     json TEXT NOT NULL
   ) ${tableOptions}`,
  `CREATE UNIQUE INDEX orders_open_for_pet ON orders (pet_id) WHERE status IN ('placed', 'approved')`,
  `CREATE INDEX orders_by_pet ON orders (pet_id, id)`,
  `CREATE INDEX orders_by_account ON orders (account_id, id)`,
  `CREATE INDEX orders_by_status ON orders (status, id)`,
  `INSERT INTO counters (name, last) VALUES ('orders', 0)`,

  // The number of pets of each status, because counting would take longer with every pet.
  `CREATE TABLE inventory (status TEXT NOT NULL PRIMARY KEY, pets ${integer} NOT NULL) ${tableOptions}`,
  ...["available", "pending", "sold"].map(
    (status) =>
      `INSERT INTO inventory (status, pets) VALUES ('${status}', (SELECT count(*) FROM pets WHERE status = '${status}'))`,
  ),
]
