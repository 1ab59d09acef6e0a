import type { Command, Limits } from '../driver.ts';

const interpreters: Record<Command['language'], readonly [program: string, flag: string]> = {
  bash: ['bash', '-c'],
  python: ['python3', '-c'],
  javascript: ['node', '-e'],
};

/**
 * The same script for all commands: variable parts come in the environment, so that they are never parsed by the shell.
 */
const runner = `
ulimit -c 0; ulimit -t "$ATRIUM_CPU"; ulimit -f "$ATRIUM_BLOCKS"
mkdir -p -- "$ATRIUM_HOME" && cd -- "$ATRIUM_HOME/$ATRIUM_CWD" || exit 1
program=$ATRIUM_PROGRAM flag=$ATRIUM_FLAG code=$ATRIUM_CODE
unset ATRIUM_CPU ATRIUM_BLOCKS ATRIUM_HOME ATRIUM_CWD ATRIUM_PROGRAM ATRIUM_FLAG ATRIUM_CODE
exec "$program" "$flag" "$code"
`;

export interface ShellProgram {
  /** For `bash -c`. */
  script: string;
  env: Record<string, string>;
  stdin: Uint8Array;
}

export function shellProgram(command: Command, limits: Limits, home: string): ShellProgram {
  const [program, flag] = interpreters[command.language];
  return {
    script: runner,
    env: {
      ...command.env,
      ATRIUM_HOME: home,
      ATRIUM_CWD: command.cwd,
      ATRIUM_PROGRAM: program,
      ATRIUM_FLAG: flag,
      ATRIUM_CODE: command.code,
      ATRIUM_CPU: String(limits.cpu_seconds),
      // Bash counts in kibibytes.
      ATRIUM_BLOCKS: String(Math.floor(limits.file_bytes / 1024)),
    },
    stdin: Buffer.from(command.stdin),
  };
}
