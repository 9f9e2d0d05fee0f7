import assert from "node:assert/strict"
import { test } from "node:test"
import type { Sample } from "../../../kernel/measure.ts"
import { healthPage } from "./health.ts"
import type { ServiceInfo, Visit } from "./page.ts"

type State = Partial<Pick<ServiceInfo, "readiness" | "lastBackup">> & { gauges?: Record<string, Sample[]> }

/** The parts of the page: what comes before the tiles, and each tile. */
async function shown({ gauges = {}, ...state }: State = {}): Promise<string[]> {
  const service: Partial<ServiceInfo> = {
    version: "1.2.3",
    runsOn: { Node: "v1" },
    now: () => Date.parse("2026-01-02T00:00:00Z"),
    readiness: async () => ({ without: [] }),
    lastBackup: () => undefined,
    measure: async (name) => gauges[name] ?? [],
    ...state,
  }
  const { text } = await healthPage.show({ service } as Visit)
  return text.split(/(?=<section)|<\/section>/).map((part) => part.replaceAll("\n", " ").trim())
}
const one = (value: number): Sample[] => [{ labels: {}, value }]
const counts = (...pairs: [string, string][]) =>
  `<dl class="counts">${pairs.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join("")}</dl>`
const tile = (title: string, content: string) => `<section class="tile"><h2>${title}</h2>${content}`

test("the page says whether the service is ready, and what it runs without", async () => {
  const readiness = async (state: Awaited<ReturnType<ServiceInfo["readiness"]>>) =>
    /<p class="readiness">(.*?)<\/p>/.exec((await shown({ readiness: async () => state }))[0] ?? "")?.[1]
  assert.equal(
    await readiness({ without: [] }),
    '<span class="badge good">ready</span> All dependencies are available.',
  )
  assert.equal(
    await readiness({ without: ["Redis", "S3"] }),
    '<span class="badge waiting">degraded</span> The service runs without Redis and S3.',
  )
  assert.equal(
    await readiness({ reason: "The disk is full" }),
    '<span class="badge bad">not ready</span> The disk is full.',
  )
})

test("without gauges the page has versions, and no numbers of parts that the service does not have", async () => {
  const [, versions, queues, disks, backups, replicas] = await shown()
  assert.equal(versions, tile("Versions", counts(["Petstore", "1.2.3"], ["Node", "v1"])))
  assert.equal(queues, tile("Queues", '<dl class="counts"></dl>'))
  assert.equal(disks, tile("Disks", ' <p>This service stores no data on this machine.</p> <dl class="counts"></dl>'))
  assert.match(
    backups ?? "",
    /^<section class="tile"><h2>Backups<\/h2><p>No backup of this data directory is recorded.<\/p> <p class="soft">Run <code>(\.\/)?petstore backup DIRECTORY<\/code>/,
  )
  assert.equal(replicas, tile("Replicas", counts(["Processes on this database", "1"], ["Redis or Valkey", "not used"])))
})

test("queues, disks, replicas and the last backup are shown", async () => {
  const disk = (name: string, value: number): Sample => ({ labels: { disk: name }, value })
  const gauges = {
    petstore_deliveries_due: one(1),
    petstore_deliveries_active: one(2),
    petstore_uploads_active: one(3),
    http_server_active_requests: one(4),
    petstore_commits_waiting: one(5),
    petstore_event_streams_active: one(6),
    petstore_deliveries_oldest_due_age_seconds: one(0.5),
    petstore_disk_free_bytes: [disk("data", 3 * 1024 ** 3), disk("images", 512)],
    petstore_disk_size_bytes: [disk("images", 1024), disk("data", 4 * 1024 ** 3)],
    petstore_database_size_bytes: one(1023),
    petstore_database_wal_size_bytes: one(1536 * 1024 ** 5),
    petstore_replicas: one(2),
    petstore_redis_up: one(1),
  }
  const [, , queues, disks, backups, replicas] = await shown({ gauges, lastBackup: () => "2026-01-01T00:00:00Z" })
  const waiting: [string, string][] = [
    ["Deliveries due", "1"],
    ["Deliveries in progress", "2"],
    ["Uploads in progress", "3"],
    ["Requests in progress", "4"],
    ["Changes waiting for the disk", "5"],
    ["Event streams open", "6"],
  ]
  assert.equal(
    queues,
    tile("Queues", `${counts(...waiting)} <p class="soft">The oldest delivery has been due for 1 s.</p>`),
  )
  const bar = (label: string, width: number) =>
    `<svg class="use" role="img" aria-label="${label}" viewBox="0 0 100 6" preserveAspectRatio="none"> <rect class="unused" width="100" height="6" rx="1"/><rect class="used" width="${width}" height="6" rx="1"/></svg>`
  assert.equal(
    disks,
    tile(
      "Disks",
      `<p class="measure"><span>data</span> <span>3.0 GiB free of 4.0 GiB</span></p>${bar("data: 3.0 GiB free of 4.0 GiB", 25)}<p class="measure"><span>images</span> <span>512 B free of 1.0 KiB</span></p>${bar("images: 512 B free of 1.0 KiB", 50)}  ${counts(["Database file", "1023 B"], ["Write-ahead log", "1572864.0 TiB"])}`,
    ),
  )
  assert.match(
    backups ?? "",
    /<dt>Last backup<\/dt><dd><time datetime="2026-01-01T00:00:00Z">2026-01-01 00:00:00 UTC<\/time>.*24 hours ago/,
  )
  const redis = '<span class="badge good">available</span>'
  assert.equal(replicas, tile("Replicas", counts(["Processes on this database", "2"], ["Redis or Valkey", redis])))
})

test("a delivery that has just become due is not mentioned, and Redis can be unavailable", async () => {
  const gauges = { petstore_deliveries_oldest_due_age_seconds: one(0.49), petstore_redis_up: one(0) }
  const [, , queues, , , replicas] = await shown({ gauges })
  assert.doesNotMatch(queues ?? "", /oldest/)
  assert.match(replicas ?? "", /<span class="badge waiting">unavailable<\/span>/)
})
