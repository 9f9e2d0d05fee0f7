/** What a response contains that shows the inside of a service, by its name. Lines may be escaped, as in JSON. */
const forms: Readonly<Record<string, RegExp>> = {
  "a stack trace of JavaScript": /\bat (?:[^\n()]{1,200} \()?(?:\S{1,300}\.[cm]?[jt]sx?|node:[^\s:]+):\d+:\d+/,
  "a stack trace of Java": /\bat [\w.$/@]+\((?:[\w$]+\.\w+:\d+|Native Method|Unknown Source)\)|\.java:\d+/,
  "a stack trace of .NET": /\bat \w[\w`<>[\]]*(?:\.[\w`<>[\]]+)+\([^\n()]*\)/,
  "a stack trace of Python": /Traceback \(most recent call last\)|\bFile .{1,6}[\w./-]+\.py.{1,6}, line \d+/,
  "a stack trace of Go": /\bgoroutine \d+ \[|\.go:\d+/,
  "a stack trace of PHP": /#\d+ \S{1,300}\.php\(\d+\)|\.php(?: on line |:)\d+/,
  "a stack trace of Ruby": /\.rb:\d+:in /,
  "a stack trace of Rust": /\bpanicked at \S|\.rs:\d+:\d+/,
  "an exception": /Exception\b/,
  "a statement of a database": /\bSELECT\b.*\bFROM\b|\bSQLSTATE\b|\bORA-\d{5}\b/,
}

/** What a text discloses; undefined for nothing. */
export const disclosedBy = (text: string): string | undefined =>
  Object.entries(forms).find(([, form]) => form.test(text))?.[0]
