import type { Static, TObject } from "typebox"
import type { Violation } from "../../../../core/kernel/problem.ts"
import { checkOf } from "../../../../core/kernel/schema/check.ts"
import type { JsonSchema } from "../../../../core/kernel/schema/type.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { type EveryMember, shownMembers } from "../../../site/pages/parts/every-member.ts"
import { type FieldLabels, field } from "../../../site/pages/parts/field.ts"
import { readFormTexts, textsOf } from "../../../site/pages/parts/form-values.ts"
import { type LabelOf, memberOf } from "../../../site/pages/parts/in-labels.ts"
import type { Failure } from "../page.ts"

type FormState = {
  /** Distinguishes the form from others on its page; with the name of a field it is its id. */
  form: string
  values?: object | undefined
  failure?: Failure | undefined
  /** The available choices of fields, where the user may not choose all that the schema allows. */
  only?: Readonly<Record<string, readonly string[]>>
}

export type FormFields<Body> = {
  render(state: FormState): Markup
  /** Reads the form without validating it; the operation does that. */
  read(form: URLSearchParams): Body
  /** What the operation would refuse of the form, for a question that comes before the operation. */
  check(form: URLSearchParams): readonly Violation[]
  labelOf: LabelOf
}

type SchemaFields<S extends TObject> = FormFields<Static<S>> & {
  /** The same form for a merge patch (RFC 7396): an empty field removes its member; members without a field are not in the patch. */
  patching<P extends TObject>(patch: P): FormFields<Static<P>>
  /** The members of a record that the form does not show. A replacement repeats them, because it clears what it omits. */
  unshown(record: object): Partial<Static<S>>
}

/**
 * The fields of a form for the members of a contract schema, with its constraints. They keep the submitted values and show the
 * errors of each field.
 */
export function fieldsOf<S extends TObject>(
  schema: S,
  labelsByField: EveryMember<Static<S>, FieldLabels>,
): SchemaFields<S> {
  const { properties = {}, required = [] } = schema as JsonSchema
  const named = shownMembers(labelsByField).map(([name, labels]) => {
    const shape = properties[name] as JsonSchema
    return { name, labels, shape, isRequired: required.includes(name) && mayNotBeEmpty(shape) }
  })

  const form: FormFields<Static<S>> = {
    render({ form: id, values = {}, failure, only = {} }) {
      const textsIn = ({ name, shape }: { name: string; shape: JsonSchema }) =>
        failure ? failure.form.getAll(name) : textsOf(shape, (values as Record<string, unknown>)[name])
      return html`${named.map((one) =>
        field({
          ...one,
          id: `${id}-${one.name}`,
          shape: narrow(one.shape, only[one.name]),
          texts: textsIn(one),
          errors: errorsAt(one.name, failure?.problem.violations ?? []),
        }),
      )}`
    },
    read: (form) =>
      Object.fromEntries(
        named.flatMap(({ name, shape, isRequired }) => {
          const value = readFormTexts(shape, form.getAll(name), isRequired)
          return value === undefined ? [] : [[name, value]]
        }),
      ) as Static<S>,
    check: (values) => checkOf(schema)(form.read(values)),
    labelOf: (name) => named.find((one) => one.name === name)?.labels.label,
  }
  return {
    ...form,
    patching: <P extends TObject>(patch: P) => ({
      ...form,
      read: (values) => ({ ...removals(patch, namesOf(named)), ...form.read(values) }) as Static<P>,
    }),
    unshown: (record) => {
      const shown = namesOf(named)
      return Object.fromEntries(Object.entries(record).filter(([name]) => !shown.has(name))) as Partial<Static<S>>
    },
  }
}

const namesOf = (fields: readonly { name: string }[]): ReadonlySet<string> => new Set(fields.map(({ name }) => name))

/** Null for each of these members that the patch can remove. */
const removals = (patch: TObject, names: ReadonlySet<string>): Record<string, null> =>
  Object.fromEntries(
    Object.entries((patch as JsonSchema).properties ?? {}).flatMap(([name, { type }]) =>
      names.has(name) && Array.isArray(type) && type.includes("null") ? [[name, null]] : [],
    ),
  )

/** A required list may be empty unless the schema has `minItems`. */
const mayNotBeEmpty = ({ items, minItems = 0 }: JsonSchema): boolean => items === undefined || minItems > 0

function narrow(shape: JsonSchema, only: readonly string[] | undefined): JsonSchema {
  const { items } = shape
  return items?.enum && only
    ? { ...shape, items: { ...items, enum: items.enum.filter((each) => only.includes(String(each))) } }
    : shape
}

const errorsAt = (name: string, violations: readonly Violation[]): string[] =>
  violations.filter((each) => memberOf(each) === name).map(({ detail }) => detail)
