import type { ApiContract } from "../domain/api.ts"

/** A document about the API, made when it is first requested: it contains the public URL. */
export type Description = {
  /** Its path below the service's address. */
  path: string
  mediaType: string
  title: string
  /** Programs that read it, as the end of a sentence. */
  readers: string
  /** The query parameters that it takes, with their values. */
  choices: Readonly<Record<string, readonly string[]>>
  /** Throws `invalid-parameter` where the choices exclude each other. */
  write(chosen: Chosen): Promise<string>
}

/** The values of the query parameters that a request has. */
export type Chosen = Readonly<Record<string, string | undefined>>

/** What a description is made of. The address of the service is known once it listens. */
export type Described = {
  api: ApiContract
  version: string
  publicUrl(): string
  /** A key that documents show; undefined where no key is public. */
  sampleKey: string | undefined
}
