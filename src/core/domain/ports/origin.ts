/** The origin of the stored data. */
export type OriginStore = {
  /** Blocks other transactions that call it, in any process, until this one ends: for work that must run once. */
  lock(): Promise<void>
  /** The profile the data was created under; undefined while there is none. */
  read(): Promise<string | undefined>
  /** Records the profile and a random id for this store; called once. */
  put(profile: string, storeId: string): Promise<void>
  /** Identifies the stored data; a reset and a copy change it. */
  storeId(): Promise<string>
  /** Sets the id of a copied store. */
  renewStoreId(storeId: string): Promise<void>
  /** The URL of the service in the photo URLs of seeded pets; empty while they are relative. */
  publicUrl(): Promise<string>
  /** Stores that URL; does nothing while there is no data. */
  putPublicUrl(url: string): Promise<void>
  /** A random id of the database, kept by resets and restored backups. */
  identity(): Promise<string>
}
