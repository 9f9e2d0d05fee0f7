import { type Problem, sentence, type Violation } from "../../../kernel/problem.ts"
import type { PetResult } from "../import/contract.ts"

/** Violations reported of each pet: the response would otherwise be many times as large as the request. */
const violationsMax = 10

/** The result of a line that is refused; `within` is where the line has what the problem is about. */
export function refusal({ code, detail, violations }: Problem, within = ""): PetResult {
  if (violations.length === 0) return { problem: { code, detail } }
  const inLine = violations.map((violation) => moveInto(within, violation))
  return { problem: { code, detail: sentence(inLine), errors: inLine.slice(0, violationsMax) as Errors } }
}

const moveInto = (within: string, violation: Violation): Violation =>
  "pointer" in violation ? { ...violation, pointer: within + violation.pointer } : violation

type Errors = NonNullable<NonNullable<PetResult["problem"]>["errors"]>
