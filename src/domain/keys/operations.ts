import type { Operations } from "../context.ts"
import type { keys } from "./contract.ts"
import { createKey } from "./create.ts"
import { listKeys } from "./list.ts"
import { getKey } from "./read.ts"
import { revokeKey } from "./revoke.ts"
import { rotateKey } from "./rotate.ts"

export const keyOperations: Operations<typeof keys> = { createKey, listKeys, getKey, revokeKey, rotateKey }
