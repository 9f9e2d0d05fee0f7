import type { Target } from "../load/wrk.ts"
import type { ServerProcess } from "../machine/server-process.ts"

/** The measured requests. A contestant omits those it does not support or could not serve under fair conditions. */
export const questions = {
  get: "GET one pet",
  limited: "GET one pet, limited key",
  unchanged: "GET one pet, 304",
  random: "GET any pet",
  list: "100 pets by status, the same page again",
  anyPage: "100 pets by status, any page",
  create: "POST a pet",
  batch: "POST 100 pets at once",
  image: "GET an image",
} as const
export type Question = keyof typeof questions

export type Running = ServerProcess & { targets: Partial<Record<Question, Target>> }

export type Contestant = {
  name: string
  /** Starts it with this number of pets; rejects with the reason when it cannot start. */
  start(stock: Stock): Promise<Running>
}

/** Pets as JSON lines: the bodies of POST requests. */
export type Stock = { directory: string; file: string; count: number }
