import type { Candidates } from "./table.ts"

type Table = ReadonlyMap<string, Candidates>

export const completionScripts: Readonly<Record<"bash" | "zsh" | "fish", (table: Table) => string>> = {
  bash: (table) => `${posixFunctions(table)}
_petstore() {
  local list current="\${COMP_WORDS[COMP_CWORD]}"
  # Bash splits --flag=value into three words.
  [ "$current" = "=" ] && current=""
  _petstore_find "$current" "\${COMP_WORDS[@]:1:COMP_CWORD-1}"
  case "$list" in
  "<file>") compopt -o default ;;
  *) COMPREPLY=($(compgen -W "$list" -- "$current")) ;;
  esac
}
complete -F _petstore petstore ./petstore
`,
  zsh: (table) => `#compdef petstore
${posixFunctions(table)}
_petstore() {
  local list
  _petstore_find "\${words[CURRENT]}" "\${(@)words[2,CURRENT-1]}"
  case "$list" in
  "<file>") _files ;;
  *) compadd -- \${=list} ;;
  esac
}
# LineContent from $fpath, this file is the body of the function at its first call.
if [ "\${funcstack[1]}" = "_petstore" ]; then _petstore; else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _petstore petstore
fi
`,
  fish: (table) => `function __petstore_list
  switch $argv[1]
${entries(table, (key, list) => `    case '${key}'\n      echo '${list}'`)}
    case '*'
      return 1
  end
end

function __petstore
  set -l prefix ''
  set -l arguments ''
  set -l flag ''
  for word in (commandline -opc)[2..]
    if test -n "$flag"
      set flag ''
    else if string match -q -- '-*' $word
      __petstore_list (string trim "$prefix $word") >/dev/null; or __petstore_list $word >/dev/null; and set flag $word
    else if __petstore_list (string trim "$prefix $word") >/dev/null
      set prefix (string trim "$prefix $word")
    else
      set arguments "$arguments +"
    end
  end
  set -l list
  if test -n "$flag"
    set list (__petstore_list (string trim "$prefix $flag"); or __petstore_list $flag)
  else if string match -q -- '-*' (commandline -ct)
    set list (__petstore_list "$prefix -")
  else
    set list (__petstore_list "$prefix$arguments")
  end
  switch "$list"
    case '<file>'
      __fish_complete_path (commandline -ct)
    case '*'
      string split -n ' ' -- $list
  end
end
complete -c petstore -f -a '(__petstore)'
`,
}

/** For bash and zsh: `_petstore_find CURRENT WORD…` sets `list` to the candidates for CURRENT after these words. */
const posixFunctions = (table: Table): string => `_petstore_list() {
  case "$1" in
${entries(table, (key, list) => `  "${key}") list="${list}" ;;`)}
  *) return 1 ;;
  esac
}
_petstore_find() {
  local current="$1" prefix="" arguments="" flag="" word
  shift
  for word in "$@"; do
    if [ "$word" = "=" ]; then
      continue
    elif [ -n "$flag" ]; then
      flag=""
    elif [ "\${word#-}" != "$word" ]; then
      if _petstore_list "\${prefix:+$prefix }$word" || _petstore_list "$word"; then flag="$word"; fi
    elif _petstore_list "\${prefix:+$prefix }$word"; then
      prefix="\${prefix:+$prefix }$word"
    else
      arguments="$arguments +"
    fi
  done
  list=""
  if [ -n "$flag" ]; then
    _petstore_list "\${prefix:+$prefix }$flag" || _petstore_list "$flag"
  elif [ "\${current#-}" != "$current" ]; then
    _petstore_list "$prefix -"
  else
    _petstore_list "$prefix$arguments" || list=""
  fi
}`

const entries = (table: Table, format: (key: string, list: string) => string): string =>
  [...table].map(([key, candidates]) => format(key, formatList(candidates))).join("\n")

/** Omits words with characters that a shell would expand, such as `*`. */
function formatList(candidates: Candidates): string {
  if (candidates === "file") return "<file>"
  return candidates === "text" ? "" : candidates.filter((word) => /^[\w.@+-]+$/.test(word)).join(" ")
}
