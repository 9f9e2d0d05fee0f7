/** The members that a JSON line of a log has more than once, which strict readers refuse and others read differently. */
export function repeatedMembers(line: string): string[] {
  const names: string[] = []
  let depth = 0
  // Texts, with a colon after the names of members, and brackets.
  for (const [token, text, colon] of line.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?|[[\]{}]/g)) {
    if (token === "{" || token === "[") depth++
    else if (token === "}" || token === "]") depth--
    else if (depth === 1 && colon !== undefined) names.push(text as string)
  }
  return names.filter((name, n) => names.indexOf(name) !== n)
}
