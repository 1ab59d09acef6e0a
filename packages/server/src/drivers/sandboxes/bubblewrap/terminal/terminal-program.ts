import { join } from 'node:path';
import type { TerminalSize } from '../../driver.ts';
import { canRun } from '../sandbox-uid.ts';

const needed = ['script', 'stty', 'bash'];

/** Whether the machine's `/usr` has what makes a terminal: `script` of util-linux, and `stty`. */
export const hasTerminalPrograms = (): boolean =>
  needed.every((program) => ['/usr/bin', '/bin'].some((directory) => canRun(join(directory, program))));

/**
 * `script` makes the terminal inside of the sandbox, in its own `/dev/pts`, where the first one has the number 0. New sizes
 * come by a descriptor, one on a line. All of it is the sandbox's own: code that breaks it only loses its terminal. `script`
 * must have no child but the shell: with another one it waits for ever, and uses up the CPU meanwhile.
 */
const openTerminal = `
sizes=$1 TERMINAL_ROWS=$2 TERMINAL_COLS=$3
export TERM=xterm-256color SHELL=/bin/bash HISTFILE= INPUTRC=/dev/null TERMINAL_ROWS TERMINAL_COLS
{
  until [ -c /dev/pts/0 ]; do sleep 0.05; done
  while read -r rows cols; do stty -F /dev/pts/0 rows "$rows" cols "$cols"; done
} <&"$sizes" >/dev/null 2>&1 &
exec {sizes}<&-
script --quiet --return --flush --command "$4" /dev/null
exit`;

/** The size is set before the shell starts; its variables would outlive the next change of size. */
const startShell = `stty sane rows "$TERMINAL_ROWS" cols "$TERMINAL_COLS"; unset TERMINAL_ROWS TERMINAL_COLS
export PS1='\\w \\$ '; exec`;

/** The program of a terminal. `around` is a program of ours that runs the shell; its words need no quotes. */
export const terminalProgram = (sizesFd: number, { rows, cols }: TerminalSize, around: readonly string[]): string[] => [
  ...['bash', '-c', openTerminal, 'bash', String(sizesFd), String(rows), String(cols)],
  [startShell, ...around, 'bash --norc -i'].join(' '),
];
