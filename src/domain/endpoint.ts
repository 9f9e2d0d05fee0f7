import type { Endpoint } from "../kernel/endpoint.ts"
import type { AuditAction } from "./audit/actions.ts"
import type { ProblemCode } from "./problems/problems.ts"
import type { Scope } from "./scopes.ts"
import type { Tag } from "./tags.ts"

type Whole = Endpoint<Scope, ProblemCode, AuditAction> & { tag: Tag }

/** What a contract says of an endpoint besides its method and path. */
type Sentence = Omit<Whole, "method" | "path" | keyof Usual> & Partial<Pick<Whole, keyof Usual>>
type Usual = { status: 200; problems: readonly [] }

/**
 * One endpoint of a contract, with status 200 and no problems of its own unless it names others; the compiler knows its
 * scopes, problem codes, tags and schemas.
 */
export const endpoint = <
  const Method extends Whole["method"],
  const Path extends Whole["path"],
  const S extends Sentence,
>(
  method: Method,
  path: Path,
  sentence: S,
): { method: Method; path: Path } & Omit<Usual, keyof S> & S => ({
  method,
  path,
  ...({ status: 200, problems: [] } as Omit<Usual, keyof S>),
  ...sentence,
})
