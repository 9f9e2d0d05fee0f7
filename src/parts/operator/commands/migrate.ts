import type { OwnCommand } from "../../../cli/command/command.ts"
import { printResult } from "../../../cli/output/result.ts"
import { openMaintenanceHere } from "./machine.ts"

export const migrateCommand: OwnCommand = {
  name: "migrate",
  summary: "Migrate the database to the newest schema without starting the service",
  description:
    "Takes no flags; PETSTORE_DATABASE_URL names the database. The service also migrates at startup; use this command to " +
    "migrate beforehand.",

  async run(_given, world) {
    const migrated = await (await openMaintenanceHere(world)).migrate()
    const { database, from, to } = migrated
    const done = from === to ? `already has schema version ${to}` : `was migrated from schema version ${from} to ${to}`
    printResult(world, migrated, `${database} ${done}\n`)
    return 0
  },
}
