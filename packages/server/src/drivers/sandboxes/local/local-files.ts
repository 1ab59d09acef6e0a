import { stat } from 'node:fs/promises';
import { type Limits, SandboxFileRefused, type SandboxFiles } from '../driver.ts';
import { confinedFiles, goneIfMissing } from './confined-files.ts';
import type { UsageCounter } from './usage-counter.ts';

export interface LocalFiles {
  limits: Limits;
  counter: UsageCounter;
  workOf(ref: string): string;
  /** New files belong to the owner of the directory, as which the code runs. */
  chown?: boolean;
  /** Called when files were changed from outside. */
  onChange?(ref: string): void;
}

/** The files of a sandbox on this machine, within the same limits as its commands. */
export function localFiles({ limits, counter, workOf, chown = false, onChange }: LocalFiles): SandboxFiles {
  const rootOf = async (ref: string) => {
    const work = workOf(ref);
    return { work, owner: (await stat(work).catch(goneIfMissing)).uid };
  };
  return {
    list: async (ref, path) => confinedFiles.list((await rootOf(ref)).work, path),

    read: async (ref, path) => confinedFiles.read((await rootOf(ref)).work, path, limits.file_bytes),

    async write(ref, path, content) {
      const { work, owner } = await rootOf(ref);
      if (content.length > limits.file_bytes)
        throw new SandboxFileRefused('too_large', `a file may have at most ${limits.file_bytes} bytes`);
      const { bytes, inodes } = await counter.measure(work, limits.inodes);
      if (bytes + content.length > limits.disk_bytes || inodes >= limits.inodes)
        throw new SandboxFileRefused('full', 'the sandbox has no room left for it');
      onChange?.(ref);
      return confinedFiles.write(work, path, content, chown ? owner : undefined);
    },

    async remove(ref, path) {
      onChange?.(ref);
      await confinedFiles.remove((await rootOf(ref)).work, path);
    },

    async usedBytes(ref) {
      const { bytes, inodes } = await counter.measure((await rootOf(ref)).work, limits.inodes);
      // The counter stops after so many entries.
      return inodes > limits.inodes ? undefined : bytes;
    },
  };
}
