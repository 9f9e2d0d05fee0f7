/** How the service is run: as a sandbox with well-known sample data and keys, or in production with neither. */
export type Profile = "sandbox" | "production"

/** Where the stored data comes from. */
export type OriginStore = {
  /** Until the transaction ends no other one gets past this, in whatever process: for what is to be done once. */
  lock(): Promise<void>
  /** The profile the data was created under; undefined while there is none. */
  read(): Promise<Profile | undefined>
  /** Records the profile the data is created under, and a random id for this store; called once. */
  put(profile: Profile, storeId: string): Promise<void>
  /** Identifies the stored data: another one after a reset, and in every other database. */
  storeId(): Promise<string>
  /** Gives the store of a copied database an id of its own. */
  renewStoreId(storeId: string): Promise<void>
  /** The address of the service with which the photo URLs of a sandbox's own pets begin; empty while they are relative. */
  publicUrl(): Promise<string>
  /** Records that address; does nothing while there is no data. */
  putPublicUrl(url: string): Promise<void>
  /**
   * Deletes everything and restarts ids at 1, except the identity, the keys that sign tokens and the state of running processes.
   * Waits for other transactions and blocks new ones.
   */
  empty(): Promise<void>
  /** A random id created with the database: unique to it, and kept by a reset and when a backup is restored. */
  identity(): Promise<string>
}
