/** A local working directory; disposing it deletes its content. */
export type Stage = AsyncDisposable & {
  path: string
  /** Writes a file and resolves with its path. Rethrows errors of the source. */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<string>
}
