// Decision: docs/decisions/openapi.md#the-description-contains-shared-parts-once

type Part = { readonly [name: string]: unknown }
type Operation = { operationId: string; parameters?: Part[]; responses: { [status: string]: Part } }

/**
 * Replaces parameters and responses that several operations have by references; returns them by name, for the components. A
 * success that only one operation has is there too, named after it: ogen names it after its schema otherwise, as it does others.
 */
export function shareRepeated(operations: readonly Operation[]) {
  const parameters = share(
    "parameters",
    operations.flatMap((operation) => operation.parameters ?? []),
    // oapi-codegen names a type after each: a query parameter would have the name of a schema, such as Category.
    ({ name, in: location }) => (location === "query" ? `${name}Parameter` : String(name)),
  )
  const responses = share(
    "responses",
    operations.flatMap((operation) => Object.values(operation.responses)),
    nameOfResponse,
  )
  const named: Record<string, Part> = {}
  for (const operation of operations) {
    if (operation.parameters) operation.parameters = operation.parameters.map(parameters.refer)
    for (const [status, response] of Object.entries(operation.responses))
      operation.responses[status] = responses.refer(response)
    const [success] = Object.entries(operation.responses).filter(([, { $ref }]) => $ref === undefined)
    if (success === undefined) continue
    const name = operation.operationId.replace(/^./, (letter) => letter.toUpperCase())
    named[name] = success[1]
    operation.responses[success[0]] = { $ref: `#/components/responses/${name}` }
  }
  return { parameters: parameters.shared, responses: { ...responses.shared, ...named } }
}

/** Where two repeated parts have the same name, only the first is shared. */
function share(section: string, parts: readonly Part[], nameOf: (part: Part) => string | undefined) {
  const shared: Record<string, Part> = {}
  const references = new Map<string, Part>()
  for (const [text, [part, another]] of Map.groupBy(parts, (each) => JSON.stringify(each))) {
    const name = part && another && nameOf(part)
    if (name === undefined || name in shared) continue
    shared[name] = part as Part
    references.set(text, { $ref: `#/components/${section}/${name}` })
  }
  return { shared, refer: (part: Part) => references.get(JSON.stringify(part)) ?? part }
}

/** The name of a response's schema, if it has one: `Pet`, `PetList`. */
function nameOfResponse({ content = {} }: { content?: Record<string, { schema?: Part & { items?: Part } }> }) {
  const [{ schema } = {}] = Object.values(content)
  const [reference, suffix] = schema?.items ? [schema.items.$ref, "List"] : [schema?.$ref, ""]
  return typeof reference === "string" ? `${reference.split("/").at(-1)}${suffix}` : undefined
}
