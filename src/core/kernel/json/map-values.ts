export const mapValues = <From, To>(record: { readonly [name: string]: From }, make: (value: From) => To) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value)]))
