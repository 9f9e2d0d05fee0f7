import type { Body, Endpoint, Params, Query } from "./endpoint.ts"

/** The arguments of a typed call of an endpoint, without files. */
export type CallInput<E extends Endpoint> = (E extends { params: object }
  ? { params: Params<E> }
  : { params?: never }) &
  (E extends { body: object } ? BodyOf<E> : { body?: never }) & {
    query?: Partial<Query<E>> &
      (E extends { paged: true } ? { limit?: number; cursor?: string } : object) &
      (E extends { sorts: readonly (infer S)[] } ? { sort?: S } : object)
  }

type BodyOf<E extends Endpoint> = undefined extends Body<E> ? { body?: Exclude<Body<E>, undefined> } : { body: Body<E> }
