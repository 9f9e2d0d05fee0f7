import { join } from "node:path"
import { byHand } from "./by-hand.ts"
import type { Contestant } from "./contestant.ts"
import { floor } from "./floor.ts"
import { jsonServer } from "./json-server.ts"
import { petstore, petstoreRestarted } from "./petstore.ts"
import { pocketbase } from "./pocketbase.ts"
import { onPostgres } from "./postgres.ts"
import { prism } from "./prism.ts"

/** The measured service: a process that started with an empty store. */
export const fresh = petstore({ name: "Petstore, fresh", dataDir: ({ directory }) => join(directory, "fresh") })
export const restarted = petstoreRestarted({
  name: "Petstore, restarted",
  dataDir: ({ directory }) => join(directory, "restarted"),
})

export const ours: readonly Contestant[] = [fresh, restarted]
export const others: readonly Contestant[] = [onPostgres, ...byHand, pocketbase, jsonServer, prism, floor]
