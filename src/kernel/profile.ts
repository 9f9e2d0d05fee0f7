/** How the service runs: as a sandbox with well-known sample data and keys, or in production with neither. */
export type Profile = "sandbox" | "production"
