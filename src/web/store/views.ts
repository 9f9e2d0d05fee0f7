import type { PublishedEvent } from "../../domain/events/store.ts"
import type { Order } from "../../domain/orders/contract.ts"
import type { Pet } from "../../domain/pets/contract.ts"
import type { Site } from "../site.ts"

/** What every page of the store is about. */
export type Shop = Pick<Site, "version" | "publicUrl" | "knownKeys"> & {
  /** The origin that images are redirected to; undefined when the service sends them itself. */
  imageOrigin: string | undefined
}

/** What somebody looks for, by the parameters of `GET /pet`. */
export type PetFilter = Readonly<Partial<Record<"name" | "status" | "category" | "tag" | "sort", string>>>

/** A page of the list of pets. */
export type ListView = {
  wanted: PetFilter
  /** Whether it is the first page of the whole list. */
  isStart: boolean
  pets: readonly Pet[]
  /** The query of the next page; undefined on the last one. */
  next: string | undefined
  /** Why there is no list. */
  refusal: string | undefined
  /** What happened last to pets, the latest first. */
  happened: readonly PublishedEvent[]
  /** The place of what happens from now on. */
  place: string
}

/** The page of a pet; `order` was placed by this visitor, `refusal` is why none was. */
export type PetView = { pet: Pet; order: Order | undefined; refusal: string | undefined }
