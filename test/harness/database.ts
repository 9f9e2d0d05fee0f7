import { randomUUID } from "node:crypto"
import { Client } from "pg"
import { migratePostgres } from "../../src/parts/replicas/postgres/open.ts"

/** The PostgreSQL server on which each service under test gets a database; without it they use SQLite. */
export const serverUrl = process.env.TEST_DATABASE || undefined

/** A service with PostgreSQL refuses requests that name a sandbox. */
export const hasNamedSandboxes = serverUrl === undefined

let count = 0

/** Creates a database, empty or as a copy of the one at the URL `like`, and returns its URL. */
export async function createDatabase(server: string, like?: string): Promise<string> {
  const name = `petstore_${process.pid}_${count++}`
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    const template = like === undefined ? "template1" : new URL(like).pathname.slice(1)
    // The default strategy copies through the write-ahead log and takes twice as long.
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  } finally {
    await client.end()
  }
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

let template: Promise<string> | undefined

/** Creates a migrated database on the shared server. Copying a template is faster than migrating. */
export async function createMigratedDatabase(server: string): Promise<string> {
  template ??= createDatabase(server).then(async (url) => {
    await migratePostgres(url)
    return url
  })
  const url = await createDatabase(server, await template)
  await renameDatabase(url)
  return url
}

/** Gives a copied database its own identity. */
export async function renameDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query("UPDATE identity SET id = $1", [randomUUID()])
  await client.end()
}

/** Settings of a service on this database, with few connections because many services share the server. */
export const settingsFor = (url: string) => ({
  PETSTORE_DATABASE_URL: url,
  PETSTORE_DATABASE_CONNECTIONS: "6",
  PETSTORE_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
})
