// Decision: docs/decisions/console.md#an-import-in-the-console-keeps-no-state

import { setImmediate } from "node:timers/promises"
import type { PetDraft } from "../../../../core/domain/pets/contract.ts"
import { pageLimitMax } from "../../../../core/kernel/endpoint/page.ts"
import { allEnded } from "../../../../core/kernel/flow/all-ended.ts"
import { inGroups } from "../../../../core/kernel/flow/in-groups.ts"
import { Problem } from "../../../../core/kernel/problem.ts"
import type { Drafted, Rejection } from "../../../../pet-files/draft.ts"
import { excerptOf, type Line } from "../../../../pet-files/lines.ts"
import { createMarker } from "../../../../pet-files/mark.ts"
import { command } from "../../../../program.ts"
import type { Call } from "../../../site/serving/call.ts"

/** Pets of one file; their marks are kept in memory during the import. */
const petsMax = 100_000
/** Lines that are processed at once; a divisor of a page. */
const atOnce = 20
/** The import ends at this number of refused lines. */
const refusedMax = 5_000
const samplesMax = 5

export type RefusedLine = { line: number; code: string; detail: string; text: string }

export type Progress = { added: number; before: number; refused: number; report: RefusedLine[]; samples: PetDraft[] }

type ImportTarget = {
  /** Adds a pet; `before` when an earlier import added it. Throws the Problem when the service refuses it. */
  take(draft: PetDraft, mark: string): Promise<"added" | "before">
  /** Called before each further 1,000 pets are taken. */
  countPage(): Promise<void>
}

/** Imports the pets of a file in groups. Yields the same, updated object at the start and after each group. */
export async function* takePets(
  lines: AsyncIterable<{ line: Line } & Drafted>,
  { take, countPage }: ImportTarget,
): AsyncGenerator<Progress> {
  const progress: Progress = { added: 0, before: 0, refused: 0, report: [], samples: [] }
  const mark = createMarker()
  let taken = 0

  function refuse(line: Line, { code, detail }: Pick<Rejection, "code" | "detail">) {
    if (progress.refused === refusedMax) return
    progress.refused += 1
    progress.report.push({ line: line.number, code, detail, text: excerptOf(line) })
  }

  async function takeOne(line: Line, draft: PetDraft) {
    try {
      progress[await take(draft, mark(JSON.stringify(draft)))] += 1
    } catch (error) {
      if (!isOfLine(error)) throw error
      refuse(line, error)
    }
  }

  yield progress
  for await (const group of inGroups(lines, atOnce)) {
    for (const each of group) if ("rejection" in each) refuse(each.line, each.rejection)
    const pets = group.filter((each) => "draft" in each)
    if (pagesOf(taken + pets.length) > Math.max(1, pagesOf(taken))) await countPage()
    const fitting = pets.slice(0, petsMax - taken)
    taken += fitting.length
    progress.samples.push(...fitting.slice(0, samplesMax - progress.samples.length).map(({ draft }) => draft))
    await allEnded(fitting.map(({ line, draft }) => takeOne(line, plainDraft(draft))))
    if (fitting.length < pets.length)
      throw new Problem("body-too-large", `A file may hold ${petsMax} pets here. Split it, or use ${command} import.`)
    if (progress.refused === refusedMax)
      throw new Problem("invalid-body", `${refusedMax} lines were refused. Correct the file and import it again`)
    yield progress
    // Let other requests proceed between groups, also when no group had to wait.
    await setImmediate()
  }
}

const pagesOf = (pets: number): number => Math.ceil(pets / pageLimitMax)

/** Normalizes a pet, so that it has the same mark in every format. */
const plainDraft = ({ id, name, category, status = "available", tags = [], photoUrls }: PetDraft): PetDraft => ({
  ...(id && { id }),
  name,
  ...(category && { category: { name: category.name } }),
  status,
  tags: tags.map((tag) => ({ name: tag.name })),
  photoUrls,
})

/** For the preview: adds nothing. */
export const check: ImportTarget = { take: async () => "added", countPage: async () => {} }

/** Adds each pet with an idempotency key, so a repeated import within the key's retention does not add it again. */
export const addEach =
  (call: Call, { isAgain, hasNewIds }: { isAgain: boolean; hasNewIds: boolean }): ImportTarget["take"] =>
  async (draft, mark) => {
    const body = hasNewIds ? { ...draft, id: 0 } : draft
    const idempotencyKey = isAgain ? undefined : `console-import-${hasNewIds ? "new-ids-" : ""}${mark}`
    return (await call.addPet({ body, idempotencyKey })).isReplayed ? "before" : "added"
  }

/** Whether the error concerns this pet only. */
const isOfLine = (error: unknown): error is Problem & { code: Rejection["code"] } =>
  error instanceof Problem && ofLine.includes(error.code)
const ofLine = ["pet-exists", "invalid-body", "idempotency-key-in-use", "idempotency-key-reused"]
