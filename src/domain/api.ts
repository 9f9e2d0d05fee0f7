import { oauth } from "./oauth/contract.ts"
import { pets } from "./pets/contract.ts"
import { sessions } from "./sessions/contract.ts"
import { users } from "./users/contract.ts"

/** The whole interface: every endpoint by its operationId. */
export const api = { ...pets, ...users, ...sessions, ...oauth }

export type Api = typeof api
