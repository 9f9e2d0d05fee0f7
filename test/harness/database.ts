import { randomUUID } from "node:crypto"
import { Client } from "pg"
import { migratePostgres } from "../../src/storage/postgres/open.ts"

/** The PostgreSQL server on which services under test get a database each; without one they use SQLite. */
export const serverUrl = process.env.TEST_DATABASE || undefined

let count = 0

/** Creates a database on a server, empty or as the one at the URL `like`, and returns its URL. */
export async function createDatabase(server: string, like?: string): Promise<string> {
  const name = `petstore_${process.pid}_${count++}`
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    const template = like === undefined ? "template1" : new URL(like).pathname.slice(1)
    // Not through the log, which takes twice as long.
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  } finally {
    await client.end()
  }
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

let template: Promise<string> | undefined

/** Creates a database on the server of all tests that is up to date: migrating takes longer than copying. */
export async function createMigratedDatabase(server: string): Promise<string> {
  template ??= createDatabase(server).then(async (url) => {
    await migratePostgres(url)
    return url
  })
  const url = await createDatabase(server, await template)
  await renameDatabase(url)
  return url
}

/** Gives a copy of a database an identity of its own. */
export async function renameDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query("UPDATE identity SET id = $1", [randomUUID()])
  await client.end()
}

/** The settings of a service on this database, with few connections because many services share the server. */
export const settingsFor = (url: string) => ({
  PETSTORE_DATABASE_URL: url,
  PETSTORE_DATABASE_CONNECTIONS: "6",
  PETSTORE_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
})
