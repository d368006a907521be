/** `leuria completion`: what a shell needs to complete commands and options, made from the commands themselves. */
import type { Command } from 'commander'
import { UserError } from '../fail.js'

/** A command by its words (`agents install`), with what may follow. */
export interface Completable {
  /** Empty for the program itself. */
  path: string
  words: readonly string[]
}

/** Every command that is shown in the help, the program first. */
export function completables(program: Command, path = ''): Completable[] {
  const help = program.createHelp()
  const commands = help.visibleCommands(program).filter((command) => command.name() !== 'help')
  const options = help.visibleOptions(program).flatMap(({ long }) => long ?? [])
  const own = { path, words: [...commands.map((command) => command.name()), ...options] }
  return [own, ...commands.flatMap((command) => completables(command, `${path} ${command.name()}`.trim()))]
}

/** In bash and zsh alike: the words behind a path of commands, as a function of the shell. */
function wordsFunction(all: readonly Completable[]): string {
  const cases = all.map(({ path, words }) => `    "${path}") echo "${words.join(' ')}" ;;`)
  return ['_leuria_words() {', '  case "$1" in', ...cases, '    *) return 1 ;;', '  esac', '}'].join('\n')
}

// What was typed may end in arguments: the longest beginning that is a command counts.
const BASH = `_leuria() {
  local path="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words
  path="\${path%% -*}"
  until words="$(_leuria_words "$path")"; do path="\${path% *}"; done
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -F _leuria leuria`

const ZSH = `_leuria() {
  local typed="\${words[2,CURRENT-1]}" found
  typed="\${typed%% -*}"
  until found="$(_leuria_words "$typed")"; do typed="\${typed% *}"; done
  compadd -- \${=found}
}
compdef _leuria leuria`

function bash(all: readonly Completable[]): string {
  return ['# Put this into ~/.bashrc: source <(leuria completion bash)', wordsFunction(all), BASH, ''].join('\n')
}

function zsh(all: readonly Completable[]): string {
  const head = ['#compdef leuria', '# Put this into ~/.zshrc: source <(leuria completion zsh)']
  return [...head, wordsFunction(all), ZSH, ''].join('\n')
}

function fish(all: readonly Completable[]): string {
  const lines = all.flatMap(({ path, words }) => {
    // Options belong to their command, subcommands to where nothing but the path was typed.
    const typed = path === '' ? '__fish_use_subcommand' : `string match -q -- 'leuria ${path}*' (commandline -pc)`
    return words.map((word) =>
      word.startsWith('--')
        ? `complete -c leuria -f -n "${typed}" -l ${word.slice(2)}`
        : `complete -c leuria -f -n "${typed}" -a ${word}`,
    )
  })
  return ['# leuria completion fish | source', ...lines, ''].join('\n')
}

const SHELLS: Readonly<Record<string, (all: readonly Completable[]) => string>> = {
  bash,
  zsh,
  fish,
}

/** @throws UserError for a shell that isn't known */
export function printCompletion(program: Command, shell: string): void {
  const make = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
  if (make === undefined) throw new UserError(`"${shell}" isn't one of: ${Object.keys(SHELLS).join(', ')}.`)
  process.stdout.write(make(completables(program)))
}
