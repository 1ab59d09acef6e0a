import { join } from 'node:path';

/** The name of an entry of the bundle of tests, by the path of its source in the repository. All lie in one folder. */
export const entryName = (file: string) => file.replace(/\.tsx?$/, '').replaceAll('/', '.');

/** Where the bundle in a folder has a source; the source itself without a bundle. */
export const bundledFile = (folder: string | undefined, file: string) =>
  folder ? join(folder, `${entryName(file)}.mjs`) : file;

/** Patches the driver of the database, which is part of the bundle. */
export const recorder = 'packages/server/test/row-types/record-rows.ts';
