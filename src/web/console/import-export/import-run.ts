import { setImmediate } from "node:timers/promises"
import type { PetDraft } from "../../../domain/pets/contract.ts"
import { pageLimitMax } from "../../../kernel/page.ts"
import { Problem } from "../../../kernel/problem.ts"
import type { Drafted, Rejection } from "../../../pet-files/draft.ts"
import type { Line } from "../../../pet-files/lines.ts"
import { createMarker } from "../../../pet-files/mark.ts"
import type { Call } from "../call.ts"

/** Pets of one file: the mark of each is kept in memory while it is read. */
const petsMax = 100_000
/** Lines that are worked on at once. */
const atOnce = 16
/** Refused lines that end an import, and characters of each that are kept for the report. */
const [refusedMax, excerptLength] = [5_000, 200]
const samplesMax = 5

export type Refused = { line: number; code: string; detail: string; text: string }

/** How far an import is, and the first pets of it. */
export type Progress = { added: number; before: number; refused: number; report: Refused[]; samples: PetDraft[] }

/** What becomes of a pet: added now, or by an import before this one. Throws the Problem when the service refuses it. */
type Take = (draft: PetDraft, mark: string) => Promise<"added" | "before">

/**
 * Takes the pets of a file one batch after the other, and tells after each how far it is: the same object, changed. `countPage` is
 * called after each 1,000 pets, before more are taken.
 */
export async function* takePets(
  lines: AsyncIterable<{ line: Line } & Drafted>,
  { take, countPage }: Taking,
): AsyncGenerator<Progress> {
  const progress: Progress = { added: 0, before: 0, refused: 0, report: [], samples: [] }
  const mark = createMarker()
  let [marked, failure] = [0, undefined as unknown]
  let batch: Promise<void>[] = []

  function refuse({ number, bytes }: Line, { code, detail }: Pick<Rejection, "code" | "detail">) {
    progress.refused += 1
    if (progress.refused >= refusedMax) failure ??= tooManyRefused()
    if (progress.report.length === refusedMax) return
    const text = bytes ? new TextDecoder().decode(bytes.subarray(0, excerptLength)) : ""
    progress.report.push({ line: number, code, detail, text })
  }

  /** What stops the import is kept until the batch has ended, so that nothing goes on after it. */
  async function takeOne(line: Line, draft: PetDraft) {
    try {
      progress[await take(draft, mark(JSON.stringify(draft)))] += 1
    } catch (error) {
      if (isOfLine(error)) refuse(line, error)
      else failure ??= error
    }
  }

  async function endBatch() {
    await Promise.all(batch)
    batch = []
    // Others have their turn between batches, also where nothing had to be waited for.
    await setImmediate()
    if (failure !== undefined) throw failure
  }

  async function takeNext(line: Line, draft: PetDraft) {
    if (marked === petsMax) {
      failure ??= tooMany()
      return
    }
    if (marked > 0 && marked % pageLimitMax === 0) {
      await endBatch()
      await countPage()
    }
    marked += 1
    batch.push(takeOne(line, plainDraft(draft)))
    if (progress.samples.length < samplesMax) progress.samples.push(draft)
  }

  try {
    for await (const { line, ...drafted } of lines) {
      if ("rejection" in drafted) refuse(line, drafted.rejection)
      else await takeNext(line, drafted.draft)
      if (batch.length < atOnce && failure === undefined) continue
      await endBatch()
      yield progress
    }
    await endBatch()
  } catch (error) {
    await Promise.all(batch)
    yield sorted(progress)
    throw error
  }
  yield sorted(progress)
}

function sorted(progress: Progress): Progress {
  progress.report.sort((a, b) => a.line - b.line)
  return progress
}

/** The same pet in the same words, however the file has it. */
const plainDraft = ({ id, name, category, status = "available", tags = [], photoUrls }: PetDraft): PetDraft => ({
  ...(id && { id }),
  name,
  ...(category && { category: { name: category.name } }),
  status,
  tags: tags.map((tag) => ({ name: tag.name })),
  photoUrls,
})

/** How the pets of a file are taken. */
type Taking = { take: Take; countPage(): Promise<void> }

/** Only checks. */
export const check: Taking = { take: async () => "added", countPage: async () => {} }

type Way = { isAgain: boolean; hasNewIds: boolean }

/** Adds each pet once: the same one, imported again within the time that responses are kept, is not added again. */
export const addEach =
  (call: Call, { isAgain, hasNewIds }: Way): Take =>
  async (draft, mark) => {
    const body = hasNewIds ? { ...draft, id: 0 } : draft
    const idempotencyKey = isAgain ? undefined : `console-import-${hasNewIds ? "new-ids-" : ""}${mark}`
    return (await call.addPet({ body, idempotencyKey })).isReplayed ? "before" : "added"
  }

/** Whether the service refused this pet, and will take others. */
const isOfLine = (error: unknown): error is Problem & { code: Rejection["code"] } =>
  error instanceof Problem && ofLine.includes(error.code)
const ofLine = ["pet-exists", "invalid-body", "idempotency-key-in-use", "idempotency-key-reused"]

const tooManyRefused = () =>
  new Problem("invalid-body", `${refusedMax} lines were refused. Correct the file and import it again`)

const tooMany = () =>
  new Problem("body-too-large", `A file may hold ${petsMax} pets here. Split it, or use the command petstore import.`)
