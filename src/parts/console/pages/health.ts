import { command } from "../../../program.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { badge } from "../../site/pages/parts/badge.ts"
import { useBar } from "../../site/pages/parts/plots.ts"
import { timeWithAge } from "../../site/pages/parts/time.ts"
import type { ConsolePage, ServiceInfo } from "./page.ts"

export const healthPage: ConsolePage = {
  path: "/health",
  title: "Health",
  scope: "admin",
  isOfService: true,
  async show({ service }) {
    const parts = await Promise.all([versions, queues, disks, backups, damage, others].map((part) => part(service)))
    return html`<h1>Health</h1>
${await readiness(service)}
<p class="soft">State of the process that served this page. With several replicas, each reports its own state.</p>
<div class="tiles">${parts}</div>`
  },
}

async function readiness({ readiness }: ServiceInfo): Promise<Markup> {
  const state = await readiness()
  if ("reason" in state) return html`<p class="readiness">${badge("not ready")} ${state.reason}.</p>`
  return state.without.length === 0
    ? html`<p class="readiness">${badge("ready")} All dependencies are available.</p>`
    : html`<p class="readiness">${badge("degraded")} The service runs without ${state.without.join(" and ")}.</p>`
}

const tile = (title: string, content: Markup): Markup =>
  html`<section class="tile"><h2>${title}</h2>${content}</section>`

const rows = (all: Record<string, Markup | string | number>): Markup =>
  html`<dl class="counts">${Object.entries(all).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

const versions = ({ version, runsOn }: ServiceInfo): Markup => tile("Versions", rows({ Petstore: version, ...runsOn }))

/** Reads gauges, given by label. Gauges that this service does not have, such as the write-ahead log's, are omitted. */
async function readGauges(service: ServiceInfo, names: Record<string, string>): Promise<Record<string, number>> {
  const found = await Promise.all(
    Object.entries(names).map(async ([label, name]) => [label, (await service.measure(name))[0]?.value] as const),
  )
  return Object.fromEntries(found.filter((each): each is [string, number] => each[1] !== undefined))
}

async function queues(service: ServiceInfo): Promise<Markup> {
  const counts = await readGauges(service, {
    "Deliveries due": "petstore_deliveries_due",
    "Deliveries in progress": "petstore_deliveries_active",
    "Uploads in progress": "petstore_uploads_active",
    "Requests in progress": "http_server_active_requests",
    "Changes waiting for the disk": "petstore_commits_waiting",
    "Event streams open": "petstore_event_streams_active",
  })
  const [oldest] = await service.measure("petstore_deliveries_oldest_due_age_seconds")
  const age = Math.round(oldest?.value ?? 0)
  return tile(
    "Queues",
    html`${rows(counts)}
${age > 0 && html`<p class="soft">The oldest delivery has been due for ${age} s.</p>`}`,
  )
}

async function disks(service: ServiceInfo): Promise<Markup> {
  const [free, sizes] = await Promise.all([
    service.measure("petstore_disk_free_bytes"),
    service.measure("petstore_disk_size_bytes"),
  ])
  const files = await readGauges(service, {
    "Database file": "petstore_database_size_bytes",
    "Write-ahead log": "petstore_database_wal_size_bytes",
  })
  return tile(
    "Disks",
    html`${free.map(({ labels: { disk = "" }, value }) => {
      const size = sizes.find(({ labels }) => labels.disk === disk)?.value ?? value
      const summary = `${formatBytes(value)} free of ${formatBytes(size)}`
      return html`<p class="measure"><span>${disk}</span> <span>${summary}</span></p>${useBar(size - value, size, `${disk}: ${summary}`)}`
    })}
${free.length === 0 && html`<p>This service stores no data on this machine.</p>`}
${rows(Object.fromEntries(Object.entries(files).map(([label, bytes]) => [label, formatBytes(bytes)])))}`,
  )
}

function backups(service: ServiceInfo): Markup {
  const at = service.lastBackup()
  return tile(
    "Backups",
    html`${at === undefined ? html`<p>No backup of this data directory is recorded.</p>` : rows({ "Last backup": timeWithAge({ service }, at) })}
<p class="soft">Run <code>${command} backup DIRECTORY</code> on the service’s machine. With PostgreSQL the backup contains images and the sealing key
only; back up the database with PostgreSQL’s own tools.</p>`,
  )
}

/** What the rounds of this process found. */
async function damage(service: ServiceInfo): Promise<Markup> {
  const kinds = await service.measure("petstore_damaged_records")
  const isDamaged = kinds.some(({ value }) => value > 0)
  return tile(
    "Damaged records",
    html`${rows(Object.fromEntries(kinds.map(({ labels: { kind = "" }, value }) => [kind, value])))}
<p class="soft">${
      isDamaged
        ? html`They do not match their hashes, and the log names them. Replace the disk, and then run <code>${command} doctor --repair BACKUPS</code> on the service’s machine while the service is stopped.`
        : "So far, all that was compared matches its hash."
    }</p>`,
  )
}

async function others(service: ServiceInfo): Promise<Markup> {
  const [[replicas], [redis]] = await Promise.all([
    service.measure("petstore_replicas"),
    service.measure("petstore_redis_up"),
  ])
  const state = redis === undefined ? "not used" : badge(redis.value === 1 ? "available" : "unavailable")
  return tile("Replicas", rows({ "Processes on this database": replicas?.value ?? 1, "Redis or Valkey": state }))
}

const units = ["B", "KiB", "MiB", "GiB", "TiB"]

function formatBytes(bytes: number): string {
  const unit = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)))
  return `${(bytes / 1024 ** unit).toFixed(unit > 0 ? 1 : 0)} ${units[unit]}`
}
