import { theOnly } from "../kernel/flow/the-only.ts"
import type { Repositories, Store } from "./ports/store.ts"

/** A store whose transactions join an open one: they commit or roll back with it. */
export const joinTransaction = (tx: Repositories): Store => ({
  ...tx,
  transaction: (work) => work(tx),
  shared: async (work, input) => theOnly(await work(tx, [input])),
})
