import type { Static, TObject } from "typebox"
import type { Violation } from "../../kernel/problem.ts"
import type { JsonSchema } from "../../kernel/schema/type.ts"
import type { Failure } from "../console/page.ts"
import { html, type Markup } from "../html.ts"
import { type FieldLabels, field } from "./field.ts"
import { readFormTexts, textsOf } from "./form-values.ts"

type FormState = {
  values?: object | undefined
  failure?: Failure | undefined
  /** The available choices of fields, where the user may not choose all that the schema allows. */
  only?: Readonly<Record<string, readonly string[]>>
}

/**
 * The fields of a form for some properties of a contract schema, with its constraints. They keep the submitted values and show
 * the errors of each field.
 */
export function fieldsOf<S extends TObject>(
  schema: S,
  labelsByField: Partial<Record<keyof Static<S> & string, FieldLabels>>,
) {
  const { properties = {}, required = [] } = schema as JsonSchema
  const named = Object.entries(labelsByField as Record<string, FieldLabels>).map(([name, labels]) => ({
    ...{ name, labels, shape: properties[name] as JsonSchema },
    isRequired: required.includes(name) && mayNotBeEmpty(properties[name] as JsonSchema),
  }))

  return {
    render({ values = {}, failure, only = {} }: FormState): Markup {
      const textsIn = ({ name, shape }: { name: string; shape: JsonSchema }) =>
        failure ? failure.form.getAll(name) : textsOf(shape, (values as Record<string, unknown>)[name])
      return html`${named.map((one) =>
        field({
          ...one,
          shape: narrow(one.shape, only[one.name]),
          texts: textsIn(one),
          errors: errorsAt(one.name, failure?.problem.violations ?? []),
        }),
      )}`
    },
    /** Reads the form without validating it; the operation does that. */
    read: (form: URLSearchParams): Static<S> =>
      Object.fromEntries(
        named.flatMap(({ name, shape, isRequired }) => {
          const value = readFormTexts(shape, form.getAll(name), isRequired)
          return value === undefined ? [] : [[name, value]]
        }),
      ) as Static<S>,
  }
}

/** A required list may be empty unless the schema has `minItems`. */
const mayNotBeEmpty = ({ items, minItems = 0 }: JsonSchema): boolean => items === undefined || minItems > 0

function narrow(shape: JsonSchema, only: readonly string[] | undefined): JsonSchema {
  const { items } = shape
  return items?.enum && only
    ? { ...shape, items: { ...items, enum: items.enum.filter((each) => only.includes(String(each))) } }
    : shape
}

/** Violations of the property or parameter with this name. */
const errorsAt = (name: string, violations: readonly Violation[]): string[] =>
  violations
    .filter((each) => ("pointer" in each ? each.pointer.split("/")[1] === name : each.parameter === name))
    .map(({ detail }) => detail)
