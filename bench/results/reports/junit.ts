/** A check that failed, of an operation or a step; without the status, it is the same one with each. */
type FailedCheck = { name: string; check: string; status?: number }

/** JUnit XML whose messages name the check and the status, as `petstore defects run` reads them. */
export function toJunit(failures: readonly FailedCheck[]): string {
  const cases = failures.map(({ name, check, status }) => {
    const block = status === undefined ? "" : `&#10;[${status}]`
    return `<testcase name="${escapeXml(name)}"><failure message="- ${escapeXml(check)}${block}"/></testcase>\n`
  })
  return `<testsuite>\n${cases.join("")}</testsuite>\n`
}

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")
