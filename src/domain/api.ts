import { pets } from "./pets/contract.ts"

/** The whole interface: every endpoint by its operationId. */
export const api = { ...pets }

export type Api = typeof api
