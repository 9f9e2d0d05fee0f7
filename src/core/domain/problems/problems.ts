import { absenceProblems } from "./absence.ts"
import { accessProblems } from "./access.ts"
import { conflictProblems } from "./conflict.ts"
import { requestProblems } from "./request.ts"
import { serviceProblems } from "./service.ts"

/** Every problem; `type` is `/problems/{code}`, a page generated from this table. */
export const problems = {
  ...requestProblems,
  ...accessProblems,
  ...absenceProblems,
  ...conflictProblems,
  ...serviceProblems,
}

export type ProblemCode = keyof typeof problems
