import type { Part } from "../../core/assembly/part.ts"
import { anyStorage } from "./storage.ts"

/** PostgreSQL, Redis and S3, for several replicas. */
export const replicasPart: Part = { name: "replicas", open: () => ({ storage: anyStorage }) }
