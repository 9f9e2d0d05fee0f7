// Decision: docs/decisions/cli.md#a-batch-of-an-import-has-100-pets-and-two-are-in-flight

import { hash } from "node:crypto"
import { importBytesMax } from "../../core/domain/pets/contract.ts"
import type { PetResult } from "../../core/domain/pets/import/contract.ts"
import { allEnded } from "../../core/kernel/flow/all-ended.ts"
import type { Rejection } from "../../pet-files/draft.ts"
import type { Line } from "../../pet-files/lines.ts"
import type { World } from "../command/command.ts"
import { formatDuration } from "../output/progress.ts"
import type { Batch, Journal, SentPet } from "./journal.ts"
import { createRetry } from "./retry.ts"
import type { MarkedLine } from "./source.ts"

/** Pets in a request; fewer when they are large. */
const batchSize = 100
const batchBytesMax = importBytesMax - 1024
/** Requests in flight: the service adds one batch while the next one is on its way. */
const inFlightMax = 2

/** The outcome of a line: a counter, or the rejection to report. */
export type LineOutcome = "blank" | "imported" | "before" | Rejection

type Settle = (line: Pick<Line, "number" | "bytes">, outcome: LineOutcome) => void

export async function checkLines(lines: AsyncIterable<MarkedLine>, settle: Settle): Promise<void> {
  for await (const marked of lines)
    settle(marked.line, "blank" in marked ? "blank" : "rejection" in marked ? marked.rejection : "imported")
}

type SendOptions = { resend: boolean; say(text: string): void; settle: Settle }

/** Sends the pets of all lines in batches; first those that an interrupted run may have sent, as it sent them. */
export async function sendLines(
  world: World,
  journal: Journal,
  lines: AsyncGenerator<MarkedLine>,
  { resend, say, settle }: SendOptions,
): Promise<void> {
  const retry = createRetry(world, (ms, why) => say(`Waiting ${formatDuration(ms / 1000)}: ${why}\n`))
  const stale = journal.open.filter(({ isStale }) => isStale)
  const repeated = journal.open.filter(({ isStale }) => !isStale)
  if (resend) for (const { key } of stale) journal.recordResults(key, [])
  const [held, settled] = [marksOf(resend ? [] : stale), marksOf(repeated)]
  const batches = batchesOf(journal, repeated, pending(lines))

  /** The pets to send; settles all other lines. */
  async function* pending(lines: AsyncIterable<MarkedLine>): AsyncGenerator<SentPet> {
    for await (const marked of lines) {
      world.interrupted.throwIfAborted()
      const { line, mark } = marked
      if ("blank" in marked) settle(line, "blank")
      else if (journal.isDone(mark)) settle(line, "before")
      else if ("rejection" in marked) settle(line, marked.rejection)
      else if (held.has(mark)) settle(line, inDoubt)
      else if (!settled.has(mark)) yield { line: line.number, mark, draft: draftOf(marked.draft), bytes: line.bytes }
    }
  }
  const draftOf = (draft: SentPet["draft"]) => (journal.newIds ? { ...draft, id: 0 } : draft)

  async function send({ key, pets }: Batch): Promise<void> {
    const body = pets.map(({ draft }) => draft)
    const { value, headers } = await retry(() => world.service.client.importPets({ body, idempotencyKey: key }))
    journal.recordResults(
      key,
      value.map(({ id }) => id ?? null),
    )
    const beyond: SentPet[] = []
    for (const [n, pet] of pets.entries()) {
      const { problem } = value[n] ?? {}
      if (problem?.code === "quota-exceeded") beyond.push(pet)
      else settle(lineOf(pet), problem ? rejectionOf(problem, headers) : "imported")
    }
    // The next request waits for the plan.
    if (beyond.length > 0) await send(recorded(journal, beyond))
  }

  const lane = async () => {
    for await (const batch of batches) await send(batch)
  }
  await allEnded(Array.from({ length: inFlightMax }, lane))
}

const marksOf = (batches: readonly Batch[]): ReadonlySet<string> =>
  new Set(batches.flatMap(({ pets }) => pets.map(({ mark }) => mark)))

/** The batches to repeat, then those of further pets. */
async function* batchesOf(
  journal: Journal,
  repeated: readonly Batch[],
  pets: AsyncIterable<SentPet>,
): AsyncGenerator<Batch> {
  yield* repeated
  let batch: SentPet[] = []
  let bytes = 0
  for await (const pet of pets) {
    const size = Buffer.byteLength(JSON.stringify(pet.draft)) + 1
    if (batch.length === batchSize || bytes + size > batchBytesMax) {
      yield recorded(journal, batch)
      batch = []
      bytes = 0
    }
    batch.push(pet)
    bytes += size
  }
  if (batch.length > 0) yield recorded(journal, batch)
}

/**
 * Records a batch with its key. The same file yields the same keys, so that an import without its state adds nothing twice; a
 * continued one has new ones, because stored results include refusals.
 */
function recorded(journal: Journal, pets: readonly SentPet[]): Batch {
  const content = digestOf(pets.map(({ mark }) => mark).join())
  const way = `${journal.newIds ? "new-ids-" : ""}${journal.reading ? `${digestOf(journal.reading)}-` : ""}`
  const key = `import-${way}${journal.source}-${journal.nextNumber()}-${content}`
  const batch = { key, pets }
  journal.recordBatch(batch)
  return batch
}

const digestOf = (text: string): string => hash("sha256", text, "base64url").slice(0, 22)

const lineOf = ({ line, draft, bytes }: SentPet) => ({
  number: line,
  bytes: bytes ?? Buffer.from(JSON.stringify(draft)),
})

const rejectionOf = (problem: NonNullable<PetResult["problem"]>, headers: Headers): Rejection => ({
  ...(problem as Rejection),
  requestId: headers.get("x-request-id") ?? "",
})

const inDoubt: Rejection = {
  code: "in-doubt",
  detail: "The line may have been sent more than a day ago, and its response is unknown; use --resend to send it again",
}
