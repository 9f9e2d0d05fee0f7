import type { Exchanged } from "../../src/domain/sandbox/model.ts"

/** An exchange without content and credential. */
export const emptyExchange: Exchanged = {
  facts: {
    durationMs: 0,
    operation: "addPet",
    webhookId: undefined,
    method: "POST",
    status: 200,
    problem: undefined,
    fault: undefined,
    caller: undefined,
  },
  path: "",
  query: "",
  requestHeaders: [],
  responseHeaders: [],
  requestBody: undefined,
  responseBody: undefined,
}
