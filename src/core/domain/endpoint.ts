import type { TObject } from "typebox"
import type { Endpoint } from "../kernel/endpoint/endpoint.ts"
import { pathParameters } from "../kernel/network/path.ts"
import { Acknowledgement, Id } from "../kernel/schema/schema.ts"
import { Type } from "../kernel/schema/type.ts"
import type { AuditAction } from "./audit/actions.ts"
import type { ProblemCode } from "./problems/problems.ts"
import type { Scope } from "./scopes.ts"
import type { Tag } from "./tags.ts"

type AppEndpoint = Endpoint<Scope, ProblemCode, AuditAction> & { tag: Tag }

type EndpointFields = Omit<AppEndpoint, "method" | "path" | keyof Defaults> & Partial<Pick<AppEndpoint, keyof Defaults>>
type Defaults = { status: 200; response: typeof Acknowledgement; problems: readonly [] }
const defaults: Defaults = { status: 200, response: Acknowledgement, problems: [] }

/** Makes endpoints that share some fields. Path parameters default to ids. */
export const endpointsWith =
  <const Common extends Partial<EndpointFields>>(common: Common) =>
  <
    const Method extends AppEndpoint["method"],
    const Path extends AppEndpoint["path"],
    const Own extends Omit<EndpointFields, keyof Common>,
  >(
    method: Method,
    path: Path,
    own: Own,
  ) => ({
    method,
    path,
    ...(defaults as Omit<Defaults, keyof Common | keyof Own>),
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

export const endpoint = endpointsWith({})
