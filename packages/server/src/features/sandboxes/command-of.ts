import { invalid } from '@atrium/contract/errors.ts';
import type { ExecRequest } from '@atrium/contract/sandboxes/schema.ts';
import type { Command } from '../../drivers/sandboxes/driver.ts';

/** The directory below the working directory, without empty parts. */
export function directoryOf(cwd: string): string {
  const parts = cwd.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..') || cwd.includes('\0'))
    throw invalid(['body', 'cwd'], 'a directory lies below the working directory and has no .. in it', cwd);
  return parts.join('/');
}

/** What the engine is to run for a request; refuses one that no engine could run. */
export function commandOf({ command, language, cwd, env, stdin }: ExecRequest): Command {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      throw invalid(['body', 'env', name], 'it is no name of a variable', name);
    if (typeof value !== 'string' || value.includes('\0'))
      throw invalid(['body', 'env', name], 'a variable should be a text', value);
    variables[name] = value;
  }
  if (command.includes('\0')) throw invalid(['body', 'command'], 'a command has no null characters', command);
  if (Buffer.byteLength(command) > 100_000)
    throw invalid(['body', 'command'], 'a command has at most 100000 bytes', null);
  return { language, code: command, cwd: directoryOf(cwd), env: variables, stdin };
}
