import { at, problem } from "../../../core/kernel/problem.ts"

/** Throws the 422 for what is at this path in the data of a sandbox file. */
export function refuseData(path: string, detail: string): never {
  throw problem("invalid-body", at(`/data/${path}`, "wrong-form", detail))
}
