/** An input that its type does not allow, as a client without types sends it. */
export const malformed = (input: unknown): never => input as never
