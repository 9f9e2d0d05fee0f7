import type { OwnCommand } from "../command.ts"
import { answer } from "../output/answer.ts"

export const migrateCommand: OwnCommand = {
  name: "migrate",
  summary: "Bring the database up to date without serving",
  description:
    "Takes no flags; the database is the one of PETSTORE_DATABASE_URL. A service does the same when it starts: this is for " +
    "those who want to do it before.",

  async run(_given, world) {
    const migrated = await (await world.maintenance()).migrate()
    const { database, from, to } = migrated
    const done = from === to ? `is at schema version ${to} already` : `was brought from schema version ${from} to ${to}`
    answer(world, migrated, `${database} ${done}\n`)
    return 0
  },
}
