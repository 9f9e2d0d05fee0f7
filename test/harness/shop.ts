import type { Shop } from "../../src/site/pages/store/views.ts"

/** The store of a service without public keys. */
export const shop: Shop = {
  version: "1",
  publicUrl: () => "https://pets.example",
  knownKeys: [],
  sandbox: undefined,
  samplePeople: [],
  imageOrigin: undefined,
}
