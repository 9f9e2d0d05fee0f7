import type { Endpoint } from "../kernel/endpoint.ts"
import type { ProblemCode } from "./problems.ts"
import type { Scope } from "./scopes.ts"

/** One sentence of the contract; the compiler knows its scopes, problem codes and schemas. */
export const endpoint = <const E extends Endpoint<Scope, ProblemCode>>(sentence: E): E => sentence
