import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3"
import { temporaryDirectory } from "./directory.ts"
import { motoEnvironment, versitygw } from "./foreign-tools.ts"
import { freePort } from "./free-port.ts"
import { until } from "./until.ts"

/** Environment variables with the AWS client's credentials; moto accepts any. */
export const s3Credentials = {
  AWS_ACCESS_KEY_ID: "access-key-id",
  AWS_SECRET_ACCESS_KEY: "secret-access-key",
  AWS_EC2_METADATA_DISABLED: "true",
}
Object.assign(process.env, s3Credentials)

/** A separate S3 server on a free port of 127.0.0.1. */
type S3Server = AsyncDisposable & {
  endpoint: string
  /** Creates a bucket; resolves with its name. */
  createBucket(): Promise<string>
  /** Suspends, resumes or kills the process. */
  signal(signal: "SIGSTOP" | "SIGCONT" | "SIGKILL"): void
}

/** The reason why no S3 server is available, or false. */
export const missingS3 = async (): Promise<string | false> => (await motoEnvironment()).missing ?? false

/** Starts moto, which keeps its data only in memory. */
export async function startS3(): Promise<S3Server> {
  const { path = "" } = await motoEnvironment()
  const child = spawn(join(path, "bin", "python"), [join(path, "bin", "moto_server"), "-H", "127.0.0.1", "-p", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
  })
  const endpoint = await endpointOf(child)
  return {
    endpoint,
    createBucket: () => createBucket(endpoint),
    signal: (signal) => void child.kill(signal),
    [Symbol.asyncDispose]: () => end(child),
  }
}

/** The reason why versitygw cannot be installed, or false. */
export const missingVersitygw = async (): Promise<string | false> => (await versitygw()).missing ?? false

/** Starts versitygw, which keeps objects as files and checks every signature; `restart` starts it again after it has ended. */
export async function startVersitygw(): Promise<S3Server & { restart(): Promise<void> }> {
  const { path = "" } = await versitygw()
  const directory = temporaryDirectory()
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const { AWS_ACCESS_KEY_ID: access, AWS_SECRET_ACCESS_KEY: secret } = s3Credentials
  const args = ["--port", `127.0.0.1:${port}`, "--access", access, "--secret", secret, "--quiet", "posix"]
  const launch = () => spawn(join(path, "versitygw"), [...args, directory.path], { stdio: "ignore" })
  const responds = () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    )
  let child = launch()
  await until(responds, "versitygw did not start")
  return {
    endpoint,
    createBucket: () => createBucket(endpoint),
    signal: (signal) => void child.kill(signal),
    async restart() {
      await end(child)
      child = launch()
      await until(responds, "versitygw did not start again")
    },
    async [Symbol.asyncDispose]() {
      await end(child)
      directory[Symbol.dispose]()
    },
  }
}

async function createBucket(endpoint: string): Promise<string> {
  const name = `bucket-${randomBytes(6).toString("hex")}`
  const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: name }))
  client.destroy()
  return name
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill("SIGKILL")
  await once(child, "close")
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
