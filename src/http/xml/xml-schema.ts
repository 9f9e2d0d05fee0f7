/** What a schema says of its value as XML: the annotations of OpenAPI, as far as they are used here. */
export type XmlSchema = {
  type?: string
  properties?: Record<string, XmlSchema>
  items?: XmlSchema
  xml?: { name?: string }
}

/** The name of an element: the annotated one, or else that of the property. */
export const elementName = (schema: XmlSchema | undefined, property: string): string => schema?.xml?.name ?? property
