import type { ProblemKind } from "../../kernel/problem.ts"

/** What a code means, and its title where that is not the code in words. */
type Meaning = string | Omit<ProblemKind, "status">

/** The kinds of problems with one status, by their codes. */
export const kindsOf = <Code extends string>(status: number, meanings: Record<Code, Meaning>) =>
  Object.fromEntries(
    Object.entries<Meaning>(meanings).map(([code, of]) => [
      code,
      { status, ...(typeof of === "string" ? { title: inWords(code), meaning: of } : of) },
    ]),
  ) as Record<Code, ProblemKind>

const inWords = (code: string): string => code.charAt(0).toUpperCase() + code.slice(1).replaceAll("-", " ")
