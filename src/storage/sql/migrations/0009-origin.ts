import type { Dialect } from "../statement.ts"

export const up = ({ tableOptions }: Dialect) => [
  `CREATE TABLE origin (profile TEXT NOT NULL PRIMARY KEY) ${tableOptions}`,
]
