/** The entry point `@petstore-service/petstore/client`. */
export type { ClientResponse } from "../client/client.ts"
export { Refused } from "../client/client.ts"
export { type FollowOptions, followEvents } from "../client/events.ts"
export { allItems, allPages } from "../client/pages.ts"
export type { Operation, PetstoreClient, PetstoreClientOptions, RefusalCode } from "../client/petstore-client.ts"
export { createPetstoreClient, isRefused } from "../client/petstore-client.ts"
