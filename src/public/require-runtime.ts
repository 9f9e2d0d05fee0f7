const oldest = 24
/** The version of the npm packages that contain Node, as in runtime/package.json. */
const packaged = "26.10.0"

/** Throws when Node is older than the syntax and modules that the service uses; says which package contains a newer one. */
export function requireRuntime({ versions, arch, report }: Pick<typeof process, "versions" | "arch" | "report">): void {
  if (Number.parseInt(versions.node, 10) >= oldest) return
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } }
  const hasPackage = header.glibcVersionRuntime !== undefined && (arch === "x64" || arch === "arm64")
  const advice = hasPackage
    ? `This adds one: npm install node-linux-${arch}@${packaged}`
    : "There is none to install with npm for this platform."
  throw new Error(`Petstore needs Node ${oldest} or newer; this is ${versions.node}. ${advice}`)
}
