import type { Endpoint } from "../kernel/endpoint.ts"
import type { AuditAction } from "./audit/actions.ts"
import type { ProblemCode } from "./problems/problems.ts"
import type { Scope } from "./scopes.ts"
import type { Tag } from "./tags.ts"

type Whole = Endpoint<Scope, ProblemCode, AuditAction> & { tag: Tag }

/** An endpoint as its contract says it: status 200 and no problems of its own unless it names others. */
type Sentence = Omit<Whole, keyof Usual> & Partial<Pick<Whole, keyof Usual>>
type Usual = { status: 200; problems: readonly [] }

/** One sentence of the contract; the compiler knows its scopes, problem codes, tags and schemas. */
export const endpoint = <const S extends Sentence>(sentence: S): Omit<Usual, keyof S> & S => ({
  ...({ status: 200, problems: [] } as Omit<Usual, keyof S>),
  ...sentence,
})
