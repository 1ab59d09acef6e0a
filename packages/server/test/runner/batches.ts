import { globSync, readFileSync, statSync } from 'node:fs';

/** How many files share a process: each process takes a second and a half of a core to read the program. */
const together = 20;

/** A file that matches one of these runs in its own process. The first pattern is a comment for files the rest miss. */
const alone: readonly RegExp[] = [
  /^\/\/ Alone in its process: \S/m,
  // It measures the process, or time so short that another file's litter could be seen in it.
  /\bprocess\.(memoryUsage|cpuUsage|resourceUsage|getActiveResourcesInfo)\b|\bperformance\.now\b|\bcpuTime\b/,
  /\bDate\.now\(\) - \w+ < 1?\d{1,3}\b/,
  // It changes what all of the process sees.
  /\bprocess\.(on|once|emit|umask|chdir|exitCode|setMaxListeners)\b|\bdelete process\.env\b/,
  /\b(process\.env(\.\w+|\['\w+'\])|globalThis\.\w+|Date\.now|Math\.random) (\?\?)?= |\bassign\((process|globalThis)/,
  /\bmock\.method\((globalThis|process|Date|Math)\b/,
  // It moves the clock, and with it the times that ids are made of.
  /\bmock\.timers\b|\bnewId\(\w/,
];

/** The test files at these paths, which may be patterns or folders, or all there are. */
export function testFiles(paths: readonly string[]): string[] {
  const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory();
  const patterns = paths.map((path) => (isFolder(path) ? `${path}/**/*.test.ts` : path));
  return globSync(paths.length > 0 ? patterns : ['packages/*/{src,test}/**/*.test.ts']).sort();
}

/** Distributes files over processes by length. Files that need their own process come last, to fill the gaps. */
export function batchesOf(files: readonly string[]): string[][] {
  const read = files.map((file) => ({ file, source: readFileSync(file, 'utf8') }));
  const isAlone = ({ source }: { source: string }) => alone.some((sign) => sign.test(source));
  const sharing = read.filter((one) => !isAlone(one)).sort((a, b) => b.source.length - a.source.length);
  const batches: string[][] = Array.from({ length: Math.ceil(sharing.length / together) }, () => []);
  for (const [index, { file }] of sharing.entries()) batches[index % batches.length]?.push(file);
  return [...batches, ...read.filter(isAlone).map(({ file }) => [file])];
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
