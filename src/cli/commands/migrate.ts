import type { Command } from "../command.ts"

export const migrate: Command = {
  name: "migrate",
  summary: "Bring the database up to date without serving",
  description:
    "Takes no flags; the database is the one of PETSTORE_DATABASE_URL. A service does the same when it starts: this is for " +
    "those who want to do it before.",
  arguments: [],
  flags: [],

  async run(_given, { terminal, json, maintenance }) {
    const migrated = await (await maintenance()).migrate()
    const { database, from, to } = migrated
    const done = from === to ? `is at schema version ${to} already` : `was brought from schema version ${from} to ${to}`
    terminal.out(json ? `${JSON.stringify(migrated)}\n` : `${database} ${done}\n`)
    return 0
  },
}
