import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { settingsFor } from "../../test/harness/database.ts"
import { startPostgres, withoutPostgres } from "../../test/harness/postgres.ts"
import { startRedis, withoutRedis } from "../../test/harness/redis.ts"
import { fill } from "../load/fill.ts"
import { singleRowInserts } from "../load/pgbench.ts"
import type { Load, Sample } from "../load/wrk.ts"
import { onServerCore } from "../machine/cores.ts"
import { type ServerProcess, startServer } from "../machine/server-process.ts"
import type { Running, Stock } from "./contestant.ts"
import { startPetstore, targetsOf, unlimited } from "./petstore.ts"

export const components = ["service", "PostgreSQL", "Redis", "balancer"] as const
export type Component = (typeof components)[number]

export type Cluster = {
  /** Requests to one replica, and to all replicas through the balancer. */
  targets: Record<"one replica" | "three behind nginx", Running["targets"]>
  /** Inserts of single rows into the same PostgreSQL. */
  insertRows(load: Load): Promise<Sample>
  /** The processes of each component. */
  pids: Record<Component, number[]>
  stop(): Promise<void>
}

/** The reason why a cluster cannot be measured; false when it can. */
export const withoutCluster =
  withoutPostgres || withoutRedis || (spawnSync("which", ["nginx"]).status !== 0 && "nginx is not installed")

/** Three replicas, a durable PostgreSQL, a Redis and a balancer, all on the servers' core. */
export async function startCluster({ directory, file, count }: Stock): Promise<Cluster> {
  await using opened = new AsyncDisposableStack()
  const postgres = opened.use(await startPostgres({ durable: true, under: onServerCore }))
  const redis = opened.use(await startRedis([], undefined, onServerCore))
  const insertRows = await singleRowInserts(await postgres.createDatabase(), directory)
  const env = {
    ...settingsFor(await postgres.createDatabase()),
    PETSTORE_DATABASE_CONNECTIONS: "20",
    PETSTORE_REDIS_URL: redis.url,
  }
  const replicas: ServerProcess[] = []
  for (const n of [1, 2, 3]) {
    const dataDir = join(directory, `replica-${n}`)
    mkdirSync(dataDir)
    const replica = await startPetstore(dataDir, env)
    opened.defer(replica.stop)
    replicas.push(replica)
  }
  const [first] = replicas as [ServerProcess]
  const balancer = await startNginx(replicas, directory)
  opened.defer(balancer.stop)
  await fill(`${first.url}/api/v3/pet`, unlimited, file, count)
  const targets = {
    "one replica": await targetsOf(first.url, { file, count }),
    "three behind nginx": await targetsOf(balancer.url, { file, count }),
  }
  const kept = opened.move()
  return {
    targets,
    insertRows,
    pids: {
      service: replicas.map(({ pid }) => pid),
      PostgreSQL: [postgres.pid()],
      Redis: [redis.pid()],
      balancer: [balancer.pid],
    },
    stop: () => kept.disposeAsync(),
  }
}

function startNginx(replicas: readonly ServerProcess[], directory: string): Promise<ServerProcess> {
  const file = join(directory, "nginx.conf")
  return startServer({
    command: (port) => {
      writeFileSync(file, configure(replicas, directory, port))
      return ["nginx", "-c", file, "-e", "/dev/null"]
    },
    readyPath: "/api/v3/pet/1",
    headers: unlimited,
  })
}

/** Distributes requests to all replicas in turn, over persistent connections. */
const configure = (replicas: readonly ServerProcess[], directory: string, port: number): string => `
daemon off;
pid ${directory}/nginx.pid;
events {}
http {
  access_log off;
  client_body_buffer_size 1m;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${directory}/${name};`).join("\n  ")}
  underscores_in_headers on;
  upstream petstore {
    ${replicas.map(({ url }) => `server ${new URL(url).host};`).join("\n    ")}
    keepalive 64;
  }
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000;
    location / {
      proxy_pass http://petstore;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
    }
  }
}
`
