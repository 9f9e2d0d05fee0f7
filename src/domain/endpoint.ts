import type { Endpoint } from "../kernel/endpoint.ts"
import type { AuditAction } from "./audit/actions.ts"
import type { ProblemCode } from "./problems/problems.ts"
import type { Scope } from "./scopes.ts"
import type { Tag } from "./tags.ts"

/** One sentence of the contract; the compiler knows its scopes, problem codes, tags and schemas. */
export const endpoint = <const E extends Endpoint<Scope, ProblemCode, AuditAction> & { tag: Tag }>(sentence: E): E =>
  sentence
