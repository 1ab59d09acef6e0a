import { execFileSync } from 'node:child_process';
import { z } from 'zod';

type Given = Readonly<Record<string, string>>;

const keys = ['ATRIUM_SECRET_KEY', 'ATRIUM_NEW_SECRET_KEY'] as const;
const commandOf = (name: string) => `${name}_COMMAND`;
const wait_ms = 30_000;

const command = z.string().min(1).optional();

/** Programs that print a master key, so that it can stay in a key management service. */
export const keyCommandVariables = {
  ATRIUM_SECRET_KEY_COMMAND: command.describe(
    'Program that prints the master key, run without a shell at each start: words separated by spaces, or a JSON list of texts',
  ),
  ATRIUM_NEW_SECRET_KEY_COMMAND: command.describe('Program that prints the next master key for `npm run rotate-key`'),
};

function wordsOf(name: string, text: string): [string, ...string[]] {
  if (!text.startsWith('[')) return z.tuple([z.string()], z.string()).parse(text.trim().split(/\s+/));
  try {
    return z.tuple([z.string().min(1)], z.string()).parse(JSON.parse(text));
  } catch {
    throw new Error(`${name} starts with [ but is not a JSON list of texts`);
  }
}

/** What the program prints, without the end of the line. Neither its output nor its arguments are shown in an error. */
function runCommand(name: string, text: string, env: Given): string {
  const [program, ...rest] = wordsOf(name, text);
  try {
    const out = execFileSync(program, rest, {
      ...{ env, encoding: 'utf8', timeout: wait_ms, killSignal: 'SIGKILL', maxBuffer: 65_536 },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return out.trim();
  } catch (error) {
    const { code, status, signal } = error as { code?: string; status?: number | null; signal?: string | null };
    const why = code ?? (signal ? `it was ended by ${signal}` : `it ended with ${status}`);
    throw new Error(`${name}: the program ${program} printed no key (${why})`);
  }
}

/** The environment with the master keys that programs print in place of their variables. */
export function withPrintedKeys(given: Given): Given {
  const printed: Record<string, string> = {};
  for (const name of keys) {
    const line = given[commandOf(name)];
    if (line === undefined) continue;
    if (given[name] !== undefined) throw new Error(`Set ${name} or ${commandOf(name)}, not both`);
    const value = runCommand(commandOf(name), line, given);
    if (value.length < 16) throw new Error(`${commandOf(name)} printed fewer than 16 characters`);
    printed[name] = value;
  }
  return { ...given, ...printed };
}
