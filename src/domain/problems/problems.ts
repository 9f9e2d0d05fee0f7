import { absenceProblems } from "./absence.ts"
import { accessProblems } from "./access.ts"
import { conflictProblems } from "./conflict.ts"
import { requestProblems } from "./request.ts"
import { serviceProblems } from "./service.ts"

/** Every problem of the service; `type` is `/problems/{code}`, a page made from this table. */
export const problems = {
  ...requestProblems,
  ...accessProblems,
  ...absenceProblems,
  ...conflictProblems,
  ...serviceProblems,
}

/** The code of a problem in this table. */
export type ProblemCode = keyof typeof problems
