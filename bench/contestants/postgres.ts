import { join } from "node:path"
import { settingsFor } from "../../test/harness/database.ts"
import { startPostgres, withoutPostgres } from "../../test/harness/postgres.ts"
import { onServerCore } from "../machine/cores.ts"
import type { Contestant } from "./contestant.ts"
import { petstore } from "./petstore.ts"

const name = "Petstore on PostgreSQL"

/** This service on a durable PostgreSQL; both share the servers' core. */
export const onPostgres: Contestant = {
  name,
  async start(stock) {
    if (withoutPostgres) throw new Error(withoutPostgres)
    const server = await startPostgres({ durable: true, under: onServerCore })
    try {
      const env = { ...settingsFor(await server.createDatabase()), PETSTORE_DATABASE_CONNECTIONS: "20" }
      const service = await petstore({ name, dataDir: ({ directory }) => join(directory, "postgres"), env }).start(
        stock,
      )
      const stop = async () => {
        await service.stop()
        await server[Symbol.asyncDispose]()
      }
      return { ...service, stop }
    } catch (error) {
      await server[Symbol.asyncDispose]()
      throw error
    }
  },
}
