import { absenceProblems } from "./problems/absence.ts"
import { accessProblems } from "./problems/access.ts"
import { conflictProblems } from "./problems/conflict.ts"
import { requestProblems } from "./problems/request.ts"
import { serviceProblems } from "./problems/service.ts"

/** Every problem of the service; `type` is `/problems/{code}`, a page made from this table. */
export const problems = {
  ...requestProblems,
  ...accessProblems,
  ...absenceProblems,
  ...conflictProblems,
  ...serviceProblems,
} as const

/** The code of a problem in this table. */
export type ProblemCode = keyof typeof problems
