/** `bms completion`: commands and options for the Tab key of bash, zsh and fish. */
import type { Command } from 'commander';
import { UsageError } from './exit.ts';

/** Words after each beginning: '' → commands, 'keys' → its commands and options. */
function words(command: Command, path = ''): [string, string[]][] {
  const names = command.commands.map((one) => one.name());
  const options = command.options.map(({ long }) => long ?? '').filter(Boolean);
  return [
    [path, [...names, ...options]],
    ...command.commands.flatMap((one) => words(one, `${path} ${one.name()}`.trim())),
  ];
}

/** Adds a word to the path of commands, unless it is an option. */
const STEP = '    case "$word" in -*) ;; *) at="${at:+$at }$word" ;; esac';

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}

/** The script for a shell. @throws UsageError */
export function completionScript(program: Command, shell: string): string {
  const all = words(program);
  const cases = all.map(([path, next]) => `    '${path}') choices='${next.join(' ')}' ;;`).join('\n');
  const choose = `  case "$at" in\n${cases}\n    *) choices='' ;;\n  esac`;
  switch (shell) {
    case 'bash':
      return lines(
        '_bms() {',
        '  local at choices word',
        "  at=''",
        '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
        STEP,
        '  done',
        choose,
        '  COMPREPLY=($(compgen -W "$choices" -- "${COMP_WORDS[COMP_CWORD]}"))',
        '}',
        'complete -o default -F _bms bms',
      );
    case 'zsh':
      return lines(
        '#compdef bms',
        '_bms() {',
        '  local at choices word; local -a before',
        '  at=\'\'; before=("${(@)words[2,CURRENT-1]}")',
        '  for word in "${(@)before}"; do',
        STEP,
        '  done',
        choose,
        '  compadd -- ${=choices}',
        '}',
        'compdef _bms bms',
      );
    case 'fish':
      return all
        .flatMap(([path, next]) => {
          const seen = path === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path.split(' ').at(-1)}`;
          return next.map((word) =>
            word.startsWith('--')
              ? `complete -c bms -n '${seen}' -l ${word.slice(2)}`
              : `complete -c bms -n '${seen}' -f -a ${word}`,
          );
        })
        .join('\n')
        .concat('\n');
    default:
      throw new UsageError('The shell must be bash, zsh or fish');
  }
}
