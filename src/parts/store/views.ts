import type { PublishedEvent } from "../../core/domain/events/store.ts"
import type { Order } from "../../core/domain/orders/contract.ts"
import type { Pet } from "../../core/domain/pets/contract.ts"
import type { Scope } from "../../core/domain/scopes.ts"
import type { ListTotal } from "../../core/kernel/endpoint/total.ts"
import type { SamplePerson } from "../site/sample-person.ts"
import type { Visitor } from "../site/serving/visitor.ts"
import type { Site } from "../site/site.ts"

/** What all pages of the store need. */
export type Shop = {
  version: string
  /** Without a trailing slash. */
  publicUrl(): string
  site: Site
  /** Public API keys. */
  knownKeys: readonly { secret: string; plan: string; scopes: readonly Scope[] }[]
  /** Users whose passwords are public. */
  samplePeople: readonly SamplePerson[]
  /** Origin that image requests are redirected to; undefined when the service sends images itself. */
  imageOrigin: string | undefined
}

/** Query parameters of `GET /pet`. */
export type StoreQuery = Readonly<Partial<Record<"name" | "status" | "category" | "tag" | "sort", string>>>

export type ListView = {
  /** Undefined for an anonymous visitor. */
  visitor: Visitor | undefined
  filter: StoreQuery
  /** The parameters of the page's address. */
  query: URLSearchParams
  /** Whether it is the first page of the whole list. */
  isStart: boolean
  pets: readonly Pet[]
  /** The number of pets that match; undefined when the query was rejected. */
  total: ListTotal | undefined
  /** The cursor of the next page; undefined on the last one. */
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
  visitor: Visitor | undefined
}
