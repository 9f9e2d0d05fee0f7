import type { PublishedEvent } from "../../../domain/events/store.ts"
import type { Order } from "../../../domain/orders/contract.ts"
import type { Pet } from "../../../domain/pets/contract.ts"
import type { SignedIn } from "../header.ts"
import type { SamplePerson } from "../oauth/sign-in-page.ts"
import type { Site } from "../site.ts"

/** What all pages of the store need. */
export type Shop = Pick<Site, "version" | "publicUrl" | "knownKeys" | "sandbox"> & {
  /** Origin that image requests are redirected to; undefined when the service sends images itself. */
  imageOrigin: string | undefined
  /** The sandbox's users with public passwords; empty in production. */
  samplePeople: readonly SamplePerson[]
}

/** Query parameters of `GET /pet`. */
export type StoreQuery = Readonly<Partial<Record<"name" | "status" | "category" | "tag" | "sort", string>>>

/** The field that the search form has. */
export type SearchField = "name" | "category" | "tag"

export type ListView = {
  /** Undefined for an anonymous visitor. */
  person: SignedIn | undefined

  filter: StoreQuery
  by: SearchField
  /** Whether it is the first page of the whole list. */
  isStart: boolean
  pets: readonly Pet[]
  /** The query of the next page; undefined on the last one. */
  next: string | undefined
  /** The reason when the query was rejected. */
  refusal: string | undefined
  /** The latest events of pets, newest first. */
  recentEvents: readonly PublishedEvent[]
  /** The event id after which the live stream starts; empty when there are no events. */
  resumeAfter: string
}

/** A pet's page. `order` is the order that the visitor placed, `refusal` the reason when it was rejected. */
export type PetView = {
  pet: Pet
  order: Order | undefined
  refusal: string | undefined
  /** Undefined for an anonymous visitor. */
  person: SignedIn | undefined
}
