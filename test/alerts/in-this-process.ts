import { readdirSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { damage } from "../harness/backups.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { unlessThorough } from "../harness/effort.ts"
import { audience, startOtherIssuer } from "../harness/other-issuer.ts"
import { type StartOptions, startPetstore } from "../harness/petstore.ts"
import { measuredIn, type Scrape, scrape } from "../harness/prometheus.ts"
import { startReceiver } from "../harness/receiver.ts"
import { startRedis } from "../harness/redis.ts"
import { mayMount, smallDisk } from "../harness/small-disk.ts"
import { type Cause, lookUntil, observe } from "./cause.ts"

const key = "special-key"
const pet = { name: "Rex", photoUrls: [] }
const largePet = { ...pet, photoUrls: Array<string>(50).fill("x".repeat(2_000)) }
type Petstore = Awaited<ReturnType<typeof startPetstore>>

/** A service in this process, whose clock the test moves. */
export async function startWatched(options: StartOptions) {
  const petstore = await startPetstore(options)
  const look = lookingAt(petstore)
  const healthy = await observe(look, () => makeRequests(petstore))
  return { petstore, look, healthy, [Symbol.asyncDispose]: () => petstore[Symbol.asyncDispose]() }
}

/** Metrics are kept for a second. */
const lookingAt = (petstore: Petstore) => () => {
  petstore.clock.advance(1_000)
  return scrape(petstore.url)
}

async function makeRequests(petstore: Petstore): Promise<void> {
  const store = petstore.as(key)
  for (let n = 1; n <= 5; n++) await store.getPetById({ params: { petId: n } })
  await store.addPet({ body: pet })
}

/** A service on a large disk of its own, if this process may mount one, with all that it can depend on. */
export async function openEmbedded() {
  await using opened = new AsyncDisposableStack()
  const disk = opened.use(mayMount ? smallDisk("4g") : temporaryDirectory())
  const redis = opened.use(await startRedis())
  const issuer = opened.use(await startOtherIssuer({ petstore_account: 1 }))
  const receiver = opened.use(await startReceiver())
  const env = {
    PETSTORE_DATA_DIR: join(disk.path, "data"),
    PETSTORE_REDIS_URL: redis.url,
    PETSTORE_OIDC_ISSUER: issuer.issuer,
    PETSTORE_OIDC_AUDIENCE: audience,
  }
  const watched = opened.use(await startWatched({ env }))
  const kept = opened.move()
  return { ...watched, redis, issuer, receiver, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

const renewKeysMs = 10 * 60_000

export const embeddedCauses: readonly Cause<Awaited<ReturnType<typeof openEmbedded>>>[] = [
  {
    when: "the external issuer responds 503",
    fires: ["PetstoreIssuerAway"],
    async make(service) {
      service.issuer.fail(() => true)
      service.petstore.clock.advance(renewKeysMs)
      return [[await lookUntil(service, "petstore_issuer_up", (up) => up === 0)]]
    },
  },
  {
    when: "a receiver does not respond, and more events than it is sent at once have waited for six minutes",
    fires: ["PetstoreDeliveriesLate"],
    async make(service) {
      const { petstore, receiver } = service
      receiver.respond(() => undefined)
      await petstore.as(key).createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
      for (let n = 0; n < 30; n++) await petstore.as(key).addPet({ body: pet })
      await receiver.until((received) => received.length > 0)
      petstore.clock.advance(6 * 60_000)
      return [[await service.look()]]
    },
  },
  {
    when: "a tool that reads keeps the write-ahead log from being emptied",
    fires: ["PetstoreLogLarge"],
    skip: unlessThorough,
    async make({ petstore, look }) {
      const store = petstore.as(key)
      const ids: number[] = []
      for (let n = 0; n < 50; n++) ids.push((await store.addPet({ body: largePet })).value.id)
      using tool = new DatabaseSync(petstore.databaseFile, { readOnly: true })
      tool.exec("BEGIN; SELECT count(*) FROM pets")
      const scrapes: Scrape[] = []
      // Twenty minutes after the log has become large.
      for (let n = 0; scrapes.length < 20; n++) {
        const patch = { status: n % 2 ? ("sold" as const) : ("pending" as const) }
        await store.patchPets({ body: ids.map((id) => ({ id, patch })) })
        const scrape = await look()
        if (measuredIn(scrape, "petstore_database_wal_size_bytes") > 256 * 1024 * 1024) scrapes.push(scrape)
      }
      return [scrapes]
    },
  },
  {
    when: "Redis is killed",
    fires: ["PetstoreRedisAway"],
    async make(service) {
      await service.redis.kill("SIGKILL")
      return [[await lookUntil(service, "petstore_redis_up", (up) => up === 0)]]
    },
  },
  {
    when: "a request meets a bug, here a table that is not there",
    fires: ["PetstoreErrors"],
    async make({ petstore, look }) {
      {
        using database = new DatabaseSync(petstore.databaseFile, { timeout: 5_000 })
        database.exec("DROP TABLE inventory")
      }
      await petstore
        .as(key)
        .addPet({ body: pet })
        .catch(() => undefined)
      return [[await look()]]
    },
  },
]

/** A service that was stopped, and what its metrics were. */
export async function openStopped() {
  await using opened = new AsyncDisposableStack()
  const { path } = opened.use(temporaryDirectory())
  const options: StartOptions = { env: { PETSTORE_DATA_DIR: path }, housekeeping: true }
  await using first = await startWatched(options)
  await first.petstore.as(key).createKey({ body: { name: "audited", scopes: ["read:pets"] } })
  const kept = opened.move()
  const { healthy, look } = first
  return { path, options, healthy, look, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

type Stopped = Awaited<ReturnType<typeof openStopped>>

const damagedBy = (when: string, change: (path: string) => void): Cause<Stopped> => ({
  when: `${when} is changed on the disk`,
  fires: ["PetstoreRecordsDamaged"],
  async make({ path, options }) {
    change(path)
    await using petstore = await startPetstore(options)
    return [[await lookUntil({ look: lookingAt(petstore) }, "petstore_damaged_records", (records) => records > 0)]]
  },
})

const damagedRow = (what: string, statement: string) =>
  damagedBy(what, (path) => {
    using database = new DatabaseSync(join(path, "petstore.db"))
    database.exec(statement)
  })

export const stoppedCauses: readonly Cause<Stopped>[] = [
  damagedRow("a pet", "UPDATE pets SET json = replace(json, 'Rex', 'Tex')"),
  damagedRow("an entry of the audit log", "UPDATE audit SET json = replace(json, 'key.created', 'key.revoked')"),
  damagedBy("the file of an image", (path) => {
    const kept = join(path, "images", "kept")
    const [first = ""] = readdirSync(kept)
    damage(join(kept, first, "original"))
  }),
]

/** A service whose disk has 28 MiB. */
export async function openOnSmallDisk() {
  await using opened = new AsyncDisposableStack()
  const disk = opened.use(smallDisk())
  const watched = opened.use(await startWatched({ env: { PETSTORE_DATA_DIR: join(disk.path, "data") } }))
  const kept = opened.move()
  return { ...watched, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

export const smallDiskCauses: readonly Cause<Awaited<ReturnType<typeof openOnSmallDisk>>>[] = [
  {
    when: "the disk is full",
    fires: ["PetstoreDiskLow", "PetstoreUnavailable"],
    async make({ petstore, look }) {
      const create = () => petstore.as(key).addPet({ body: largePet })
      for (let refused = 0; refused < 20; ) await create().catch(() => refused++)
      return [[await look()]]
    },
  },
]
