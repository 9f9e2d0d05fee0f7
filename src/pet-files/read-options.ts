/** How to read a file, besides what it says itself. */
export type ReadOptions = {
  /** Ignore the ids of pets, also those that the service would refuse. */
  newIds?: boolean
}
