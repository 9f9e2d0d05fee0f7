/** How the service is run: with everybody's sample data and keys, or with nobody's. */
export type Profile = "sandbox" | "production"

/** What storage knows of its own beginning. */
export type OriginStore = {
  /** The profile that made the data; undefined while there are none. */
  read(): Promise<Profile | undefined>
  /** Says which profile makes the data, once. */
  put(profile: Profile): Promise<void>
  /** A random id, made with the database: no other has it, and a restored backup has it still. */
  identity(): Promise<string>
}
