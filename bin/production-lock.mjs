/** The part of a lock file that an installation of the package needs, without development packages and workspaces. */
export function lockOfProduction(lock) {
  const { packages } = lock
  const needed = new Set()
  const visit = (path) => {
    const { dependencies, optionalDependencies, peerDependencies } = packages[path]
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const found = resolve(packages, path, name)
      if (found === undefined || needed.has(found)) continue
      needed.add(found)
      visit(found)
    }
  }
  visit("")
  const { workspaces, devDependencies, ...manifest } = packages[""]
  const kept = Object.entries(packages).filter(([path]) => needed.has(path))
  return { ...lock, packages: { "": manifest, ...Object.fromEntries(kept) } }
}

/** The path of a package that the one at `path` imports; undefined for an optional package that is not listed. */
function resolve(packages, path, name) {
  const found = `${path && `${path}/`}node_modules/${name}`
  if (found in packages) return found
  if (path === "") return undefined
  return resolve(packages, path.slice(0, Math.max(0, path.lastIndexOf("/node_modules/"))), name)
}
