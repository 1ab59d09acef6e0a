import { globSync, readFileSync, statSync } from 'node:fs';
import { secondsOf } from './recorded-times.ts';

/** Seconds of processor time that the files of a process take together: a process takes one to read the program. */
const together_s = 48;

/** Files that match one of these run in processes of their own, together with files of the same kind where they may. */
const apart: readonly { sign: RegExp; most: number }[] = [
  { sign: /^\/\/ Alone in its process: \S/m, most: 1 },
  // It changes what all of the process sees.
  {
    sign: /\bprocess\.(on|once|emit|umask|chdir|exitCode|setMaxListeners)\b|\bdelete process\.env\b|\bmock\.method\((globalThis|process|Date|Math)\b/,
    most: 1,
  },
  {
    sign: /\b(process\.env(\.\w+|\['\w+'\])|globalThis\.\w+|Date\.now|Math\.random) (\?\?)?= |\bassign\((process|globalThis)/,
    most: 1,
  },
  // It measures memory or what is open, where the litter of another file would be seen.
  { sign: /\bprocess\.(memoryUsage|resourceUsage|getActiveResourcesInfo)\b/, most: 1 },
  // It makes ids of other times, or sees those that another file has made.
  { sign: /\bnewId\(\w/, most: 1 },
  // It moves the clock, and with it the times that ids are made of.
  { sign: /\bmock\.timers\b/, most: 8 },
  // It measures time, of which files that run on after their end would take some.
  { sign: /\bprocess\.cpuUsage\b|\bcpuTime\b|\bperformance\.now\b|\bDate\.now\(\) - \w+ < 1?\d{1,3}\b/, most: 12 },
];

export type TestGroup = 'quick' | 'deep';

const isDeep = (file: string) => file.endsWith('.deep.test.ts');

/** The test files at these paths, which may be patterns or folders, in the order of the paths; or all of a group. */
export function testFiles(paths: readonly string[], group: TestGroup = 'quick'): string[] {
  const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory();
  const patterns = paths.map((path) => (isFolder(path) ? `${path}/**/*.test.ts` : path));
  if (paths.length > 0) return [...new Set(patterns.flatMap((pattern) => globSync(pattern).sort()))];
  return globSync('packages/*/{src,test}/**/*.test.ts')
    .filter((file) => isDeep(file) === (group === 'deep'))
    .sort();
}

/** Files in lists of about the same time, of `most` files each. */
function balance(files: readonly string[], most: number): string[][] {
  const total = files.reduce((sum, file) => sum + secondsOf(file), 0);
  const count = Math.max(Math.ceil(total / together_s), Math.ceil(files.length / most));
  const batches = Array.from({ length: count }, () => ({ files: [] as string[], seconds: 0 }));
  for (const file of [...files].sort((a, b) => secondsOf(b) - secondsOf(a))) {
    const open = batches.filter((batch) => batch.files.length < most);
    const least = open.reduce((a, b) => (b.seconds < a.seconds ? b : a));
    least.files.push(file);
    least.seconds += secondsOf(file);
  }
  return batches.map((batch) => batch.files);
}

/** Distributes files over processes by the time that they take. The longest begin first, so that short ones fill the gaps. */
export function batchesOf(files: readonly string[]): string[][] {
  const kindOf = (file: string) => {
    const source = readFileSync(file, 'utf8');
    return apart.findIndex(({ sign }) => sign.test(source));
  };
  const byKind = Map.groupBy(files, kindOf);
  const lengthOf = (batch: readonly string[]) => batch.reduce((sum, file) => sum + secondsOf(file), 0);
  return [...byKind]
    .flatMap(([kind, own]) => balance(own, apart[kind]?.most ?? Number.POSITIVE_INFINITY))
    .sort((a, b) => lengthOf(b) - lengthOf(a));
}

/** A line of this form asks that no other file runs meanwhile, because the file holds the machine to short times. */
const aloneOnMachine = /^\/\/ Alone on the machine: \S/m;

/** Splits files into those that may run side by side and those that want the machine for themselves. */
export function splitByMachine(files: readonly string[]): { together: string[]; alone: string[] } {
  const { together = [], alone = [] } = Object.groupBy(files, (file) =>
    aloneOnMachine.test(readFileSync(file, 'utf8')) ? 'alone' : 'together',
  );
  return { together, alone };
}
