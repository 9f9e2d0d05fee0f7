import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createDatabase } from "./database.ts"
import { temporaryDirectory } from "./directory.ts"
import { runTool } from "./foreign-tools.ts"
import { freePort } from "./free-port.ts"
import { postgresBinaries, unprivileged, withoutPostgres } from "./postgres.ts"
import { until } from "./until.ts"

const programs = ["/usr/bin/patroni", "/usr/bin/patronictl", "/usr/bin/etcd"]

/** The reason why tests that need Patroni are skipped; false when they are not. */
export const withoutPatroni =
  withoutPostgres || (!programs.every((program) => existsSync(program)) && "NOT TESTED: install Patroni and etcd")

/** Far below the defaults of Patroni, so that it replaces a killed primary within seconds. */
const times = { ttl: 6, loop_wait: 1, retry_timeout: 2 }
const readyWithinMs = 90_000

type Member = { name: string; role: string; state: string }
type Node = { name: string; file: string; data: string; port: number; rest: string; child: ChildProcess | undefined }

/**
 * A Patroni cluster on 127.0.0.1 in strict synchronous mode: a commit is confirmed once a standby has it, and only such a standby
 * becomes the primary.
 */
export async function startPatroni(count = 3) {
  await using opened = new AsyncDisposableStack()
  const directory = opened.use(temporaryDirectory())
  const owner = await unprivileged()
  if (owner) chownSync(directory.path, owner.uid, owner.gid)
  const options = {
    ...owner,
    cwd: directory.path,
    stdio: "ignore" as const,
    env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" },
  }
  const etcd = await startEtcd(directory.path, options)
  opened.defer(() => end(etcd.child))
  const nodes: Node[] = []
  for (let n = 1; n <= count; n++) nodes.push(await describeNode(`node${n}`, directory.path, etcd.address))
  opened.defer(async () => {
    for (const node of nodes) await killNode(node)
  })
  for (const node of nodes) launch(node)

  function launch(node: Node): void {
    node.child = spawn("/usr/bin/patroni", [node.file], options)
  }
  const nodeOf = (name: string) => nodes.find((node) => node.name === name) as Node
  /** As any node that responds sees them. */
  async function members(): Promise<Member[]> {
    for (const { rest } of nodes) {
      const response = await fetch(`${rest}/cluster`).catch(() => undefined)
      if (response?.ok) return ((await response.json()) as { members?: Member[] }).members ?? []
    }
    return []
  }
  const primary = async () =>
    (await members()).find(({ role, state }) => role === "leader" && state === "running")?.name
  /** Resolves once a standby confirms commits, and every other node follows. */
  const ready = () =>
    until(
      async () => {
        const all = await members()
        const following = all.filter(({ role, state }) => role !== "leader" && /^(running|streaming)$/.test(state))
        const confirming = all.some(({ role }) => role === "sync_standby")
        return (await primary()) !== undefined && confirming && following.length === count - 1
      },
      "the nodes of Patroni did not become ready",
      readyWithinMs,
    )
  await ready()
  const urlOf = ({ port }: Node) => `postgres://petstore@127.0.0.1:${port}/postgres`
  const { pathname } = new URL(await createDatabase(urlOf(nodeOf((await primary()) as string))))
  const kept = opened.move()

  return {
    /** The URL of a new, empty database with the hosts of all nodes. */
    url: `postgres://petstore@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(",")}${pathname}`,
    primary,
    ready,
    /** Kills Patroni and PostgreSQL of a node, as if its machine lost power. */
    kill: (name: string) => killNode(nodeOf(name)),
    start: (name: string) => launch(nodeOf(name)),
    /** Makes a standby that confirms commits the primary; resolves when Patroni reports it. */
    async switchover(): Promise<void> {
      const [{ file }] = nodes as [Node]
      const candidate = (await members()).find(({ role }) => role === "sync_standby")?.name as string
      const from = (await primary()) as string
      const sides = ["--master", from, "--candidate", candidate]
      await runTool("/usr/bin/patronictl", ["-c", file, "switchover", "--force", ...sides, "petstore"], directory.path)
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function startEtcd(directory: string, options: object) {
  const [client, peer] = [`127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`]
  const settings = {
    "data-dir": join(directory, "etcd"),
    "listen-client-urls": `http://${client}`,
    "advertise-client-urls": `http://${client}`,
    "listen-peer-urls": peer,
    "initial-advertise-peer-urls": peer,
    "initial-cluster": `default=${peer}`,
  }
  const args = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  const child = spawn("/usr/bin/etcd", args, options)
  await until(
    async () => (await fetch(`http://${client}/health`).catch(() => undefined))?.ok === true,
    "etcd did not start",
  )
  return { address: client, child }
}

/** Writes the configuration of a node; JSON is YAML. */
async function describeNode(name: string, directory: string, etcd: string): Promise<Node> {
  const home = join(directory, name)
  mkdirSync(home)
  const owner = await unprivileged()
  if (owner) chownSync(home, owner.uid, owner.gid)
  const [port, restPort] = [await freePort(), await freePort()]
  const data = join(home, "data")
  const settings = {
    scope: "petstore",
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { host: etcd },
    bootstrap: {
      dcs: { ...times, synchronous_mode: true, synchronous_mode_strict: true, postgresql: { use_pg_rewind: true } },
      initdb: [{ encoding: "UTF8" }, { auth: "trust" }, "data-checksums"],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: postgresBinaries,
      pgpass: join(home, "pgpass"),
      authentication: { superuser: { username: "petstore" }, replication: { username: "replicator" } },
      parameters: { unix_socket_directories: home, max_connections: 100, shared_buffers: "64MB" },
      pg_hba: ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"],
    },
  }
  const file = join(home, "patroni.json")
  writeFileSync(file, JSON.stringify(settings))
  return { name, file, data, port, rest: `http://127.0.0.1:${restPort}`, child: undefined }
}

/** Patroni first, which would start PostgreSQL again; its server runs on without it. */
async function killNode({ child, data }: Node): Promise<void> {
  if (child) await end(child)
  const pidFile = join(data, "postmaster.pid")
  if (!existsSync(pidFile)) return
  const pid = Number(readFileSync(pidFile, "utf8").split("\n")[0])
  const list = `/proc/${pid}/task/${pid}/children`
  if (!existsSync(list)) return
  const children = readFileSync(list, "utf8").trim().split(" ").filter(Boolean).map(Number)
  for (const one of [pid, ...children])
    try {
      process.kill(one, "SIGKILL")
    } catch {
      // It has ended.
    }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill("SIGKILL")
  await once(child, "exit")
}
