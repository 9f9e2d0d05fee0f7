import type { TObject } from "typebox"
import type { Endpoint } from "../kernel/endpoint.ts"
import { pathParameters } from "../kernel/network/path.ts"
import { Acknowledgement, Id } from "../kernel/schema/schema.ts"
import { Type } from "../kernel/schema/type.ts"
import type { AuditAction } from "./audit/actions.ts"
import type { ProblemCode } from "./problems/problems.ts"
import type { Scope } from "./scopes.ts"
import type { Tag } from "./tags.ts"

type Whole = Endpoint<Scope, ProblemCode, AuditAction> & { tag: Tag }

/** The fields of an endpoint besides method and path. */
type Sentence = Omit<Whole, "method" | "path" | keyof Usual> & Partial<Pick<Whole, keyof Usual>>
/** The defaults of an endpoint. */
type Usual = { status: 200; answer: typeof Acknowledgement; problems: readonly [] }
const usual: Usual = { status: 200, answer: Acknowledgement, problems: [] }

/** Makes endpoints that share some fields. Path parameters default to ids. */
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
    ...(usual as Omit<Usual, keyof Common | keyof Own>),
    ...(idsIn(path) as IdsOf<Path, Own>),
    ...common,
    ...own,
  })

function idsIn(path: string): object {
  const names = pathParameters(path)
  return names.length === 0 ? {} : { params: Type.Object(Object.fromEntries(names.map((name) => [name, Id]))) }
}

type IdsOf<Path extends string, Own> = Own extends { params: TObject }
  ? object
  : Path extends `${string}{${string}`
    ? { params: TObject<Record<NamesIn<Path>, typeof Id>> }
    : object
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** Makes a single endpoint. */
export const endpoint = endpointsWith({})
