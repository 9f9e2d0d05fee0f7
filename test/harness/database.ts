import { Client } from "pg"

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

/** The settings of a service on this database, with few connections because many services share the server. */
export const settingsFor = (url: string) => ({
  PETSTORE_DATABASE_URL: url,
  PETSTORE_DATABASE_CONNECTIONS: "6",
  PETSTORE_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
})
