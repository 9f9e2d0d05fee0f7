import type { Pet } from "../../src/domain/pets/contract.ts"
import type { ListView, Shop } from "../../src/site/pages/store/views.ts"

/** The store of a service without public keys. */
export const shop: Shop = {
  version: "1",
  publicUrl: () => "https://pets.example",
  knownKeys: [],
  sandbox: undefined,
  samplePeople: [],
  imageOrigin: undefined,
}

/** The list of a store without pets and events, to an anonymous visitor. */
export const emptyList: ListView = {
  person: undefined,
  filter: {},
  query: new URLSearchParams(),
  isStart: false,
  pets: [],
  total: undefined,
  next: undefined,
  refusal: undefined,
  recentEvents: [],
  resumeAfter: "",
}

export const petWith = (id: number, more: Partial<Pet> = {}): Pet => ({
  id,
  name: `Pet ${id}`,
  status: "available",
  tags: [],
  photoUrls: [],
  ...more,
})
