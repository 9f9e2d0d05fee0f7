/** The entry point `@petstore-service/petstore/sandbox`, for tests. */
export type { SandboxClient, SandboxClientOptions } from "../client/sandbox-client.ts"
export { createSandboxClient } from "../client/sandbox-client.ts"
