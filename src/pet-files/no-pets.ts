import { Problem } from "../core/kernel/problem.ts"

/** The problem of a file that cannot be read as pets. */
export const noPets = (detail: string): Problem =>
  new Problem("invalid-body", `The file ${detail}`, { violations: [{ pointer: "/file", code: "no-pets", detail }] })
