import { createYielder } from "../../../kernel/flow/yielder.ts"
import type { EntityTags } from "../../../kernel/network/preconditions.ts"
import { Problem } from "../../../kernel/problem.ts"
import type { Context, ContextPart } from "../../context.ts"
import type { Repositories } from "../../ports/store.ts"
import type { PetResult } from "../import/contract.ts"
import type { StatusCounts } from "../store.ts"
import { refusal } from "./refusal.ts"

/** A line about an existing pet. */
type Line = { id: number; ifMatch?: string }

type LineProblem = "pet-not-found" | "pet-has-open-order" | "precondition-failed" | "invalid-body"

/** What a line may use: as if it were a request of its own. */
type LineContext = ContextPart<"clock" | "preconditions", LineProblem> & Pick<Context, "valid">

/** What is done for a line, and where in it the pet is, which pointers of its problems begin at. */
type LineWork<L extends Line, Result extends PetResult> = {
  run: (ctx: LineContext, tx: Repositories, line: L) => Promise<Result>
  within?: string
}

/**
 * Runs each line, and returns the results in their order. Lines run in order of the pets' ids, those of one pet in their own order: all
 * batches lock pets in the same order, and so they do not block each other.
 */
export function runLines<L extends Line, Result extends PetResult>(
  ctx: Omit<LineContext, "preconditions"> & ContextPart<"store"> & Pick<Context, "attempt">,
  lines: readonly (L | Problem)[],
  { run, within }: LineWork<L, Result>,
): Promise<(Result | PetResult)[]> {
  return ctx.store.transaction(async (tx) => {
    // On SQLite nothing waits, and other requests would: long work is divided.
    const turns = createYielder()
    const uncounted: StatusCounts = new Map()
    const counted = countLater(tx, uncounted)
    const results: (Result | PetResult)[] = lines.map((line) =>
      line instanceof Problem ? refusal(line) : { id: line.id },
    )
    for (const { line, n } of inOrderOfIds(lines)) {
      if (turns.isOver()) await turns.next()
      // A line is refused before it changes anything.
      const result = await ctx.attempt(() => run({ ...ctx, preconditions: { ifMatch: tagsOf(line) } }, counted, line))
      results[n] = result instanceof Problem ? refusal(result, within) : result
    }
    await tx.pets.count(uncounted)
    return results
  })
}

const inOrderOfIds = <L extends Line>(lines: readonly (L | Problem)[]) =>
  lines
    .flatMap((line, n) => (line instanceof Problem ? [] : [{ line, n }]))
    .sort((one, other) => one.line.id - other.line.id)

const tagsOf = ({ ifMatch }: Line): EntityTags | undefined =>
  ifMatch === undefined || ifMatch === "*" ? ifMatch : [ifMatch]

/** Notes changes of the inventory for the end: batches would block each other by its rows, which are few. */
const countLater = (tx: Repositories, uncounted: StatusCounts): Repositories => ({
  ...tx,
  pets: {
    ...tx.pets,
    put: (pet, before, at) => tx.pets.put(pet, before, at, uncounted),
    remove: (id) => tx.pets.remove(id, uncounted),
  },
})
