import type { Target } from "../load/wrk.ts"
import type { ServerProcess } from "../machine/server-process.ts"

/** What is asked of contestants; one that has no such thing, or cannot be asked for it fairly, leaves it out. */
export const questions = {
  get: "GET one pet",
  limited: "GET one pet, limited key",
  unchanged: "GET one pet, 304",
  list: "100 pets by status",
  create: "POST a pet",
} as const
export type Question = keyof typeof questions

export type Running = ServerProcess & { targets: Partial<Record<Question, Target>> }

export type Contestant = {
  name: string
  /** Starts it with so many pets; rejects with what is missing when it cannot. */
  start(stock: Stock): Promise<Running>
}

/** Pets as JSON lines, the bodies of POSTs. */
export type Stock = { directory: string; file: string; count: number }
