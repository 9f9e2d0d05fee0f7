import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { temporaryDirectory } from "./directory.ts"
import { motoEnvironment } from "./foreign-tools.ts"

/** Environment variables with the AWS client's credentials; the server accepts any. */
export const s3Credentials = {
  AWS_ACCESS_KEY_ID: "access-key-id",
  AWS_SECRET_ACCESS_KEY: "secret-access-key",
  AWS_EC2_METADATA_DISABLED: "true",
}
Object.assign(process.env, s3Credentials)

/** A separate S3 server on a free port of 127.0.0.1, which keeps its data only in memory. */
type S3Server = AsyncDisposable & {
  endpoint: string
  /** Creates a bucket; resolves with its name. */
  createBucket(): Promise<string>
  /** Suspends, resumes or kills the process. */
  signal(signal: "SIGSTOP" | "SIGCONT" | "SIGKILL"): void
}

/** The reason why no S3 server is available, or false. */
export const missingS3 = async (): Promise<string | false> => (await motoEnvironment()).missing ?? false

export async function startS3(): Promise<S3Server> {
  const { path = "" } = await motoEnvironment()
  const child = spawn(join(path, "bin", "python"), [join(path, "bin", "moto_server"), "-H", "127.0.0.1", "-p", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
  })
  const endpoint = await endpointOf(child)
  return {
    endpoint,
    async createBucket() {
      const name = `bucket-${randomBytes(6).toString("hex")}`
      const { ok } = await fetch(`${endpoint}/${name}`, { method: "PUT" })
      if (!ok) throw new Error("no bucket could be created")
      return name
    },
    signal: (signal) => void child.kill(signal),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill("SIGKILL")
      await once(child, "close")
    },
  }
}

/** The address from the server's log. The rest of its output is read and dropped, otherwise its pipe would fill up. */
function endpointOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ""
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on("line", (line) => {
      output += `${line}\n`
      const [endpoint] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
      if (endpoint) resolve(endpoint)
    })
    child.once("close", () => reject(new Error(`the S3 server ended: ${output}`)))
  })
}

/** A location for images in a bucket, with a working directory that disposing removes. */
export function s3Place(bucket: string, endpoint: string, prefix = "") {
  const directory = temporaryDirectory()
  const place = { bucket, prefix, endpoint, publicEndpoint: endpoint, region: undefined, redirects: false }
  return { ...place, directory: directory.path, [Symbol.dispose]: () => directory[Symbol.dispose]() }
}
