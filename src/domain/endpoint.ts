import type { Endpoint } from "../kernel/endpoint.ts"
import type { AuditAction } from "./audit/actions.ts"
import type { ProblemCode } from "./problems/problems.ts"
import type { Scope } from "./scopes.ts"
import type { Tag } from "./tags.ts"

type Whole = Endpoint<Scope, ProblemCode, AuditAction> & { tag: Tag }

/** What a contract says of an endpoint besides its method and path. */
type Sentence = Omit<Whole, "method" | "path" | keyof Usual> & Partial<Pick<Whole, keyof Usual>>
type Usual = { status: 200; problems: readonly [] }

/** Makes endpoints that share some fields. Status 200 and no problems unless an endpoint states others. */
export const endpointsWith =
  <const Common extends Partial<Sentence>>(common: Common) =>
  <
    const Method extends Whole["method"],
    const Path extends Whole["path"],
    const Own extends Omit<Sentence, keyof Common>,
  >(
    method: Method,
    path: Path,
    own: Own,
  ) => ({
    method,
    path,
    ...({ status: 200, problems: [] } as Omit<Usual, keyof Common | keyof Own>),
    ...common,
    ...own,
  })

/** Makes an endpoint that has nothing in common with others. */
export const endpoint = endpointsWith({})
