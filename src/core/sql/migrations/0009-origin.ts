import type { Dialect } from "../dialect.ts"

export const up = ({ tableOptions }: Dialect) => [
  `CREATE TABLE origin (profile TEXT NOT NULL PRIMARY KEY) ${tableOptions}`,
]
