import { createContext } from "../../src/api/operations/context.ts"
import type { Caller } from "../../src/domain/accounts/model.ts"
import type { Endpoint } from "../../src/kernel/endpoint/endpoint.ts"
import { Problem } from "../../src/kernel/problem.ts"
import { Type } from "../../src/kernel/schema/type.ts"
import { exchangeOf } from "./exchange.ts"
import { principalOf } from "./principal.ts"

const endpoint: Endpoint = {
  method: "POST",
  path: "/",
  summary: "",
  tag: "",
  command: "a b",
  scope: "any",
  response: Type.Object({}),
  status: 200,
  problems: [],
}

type Parts = { caller?: Caller; headers?: Record<string, string>; endpoint?: Partial<Endpoint>; store?: object }

/** Runs a verb with these ports of its context; a problem that it raises is its outcome. */
export async function runVerb<Context, Input, Outcome>(
  verb: (ctx: Context, input: Input) => Outcome,
  { caller = principalOf(7).caller, headers = {}, store = {}, ...rest }: Parts & Record<string, unknown>,
  input: Partial<Input> = {},
): Promise<Awaited<Outcome> | Problem> {
  const exchange = exchangeOf("/", { headers })
  exchange.caller = caller
  const ports = { publicUrl: () => "https://petstore.example", log: { info() {} }, ...rest }
  const used = { ...endpoint, ...rest.endpoint }
  const { context } = createContext(
    ports as unknown as Parameters<typeof createContext>[0],
    exchange,
    used,
    store as Parameters<typeof createContext>[3],
  )
  try {
    return await verb(context as Context, { params: {}, query: {}, ...input } as Input)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}
