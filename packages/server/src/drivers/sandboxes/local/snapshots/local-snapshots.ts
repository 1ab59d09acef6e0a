import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseStored } from '../../../../lib/json/parse-stored.ts';
import type { Limits, SandboxSnapshots, SandboxSpec } from '../../driver.ts';
import { goneIfMissing } from '../confined-files.ts';
import { directoriesIn } from '../local-directories.ts';
import { fingerprintTree, packTree } from './pack-tree.ts';
import { unpackTree } from './unpack-tree.ts';

interface Mark {
  id: string;
  fingerprint: string;
}

interface LocalSnapshots {
  root: string;
  limits: Limits;
  create(spec: SandboxSpec): Promise<string>;
  destroy(ref: string): Promise<void>;
  /** New files belong to the owner of the directory, as which the code runs. */
  chown?: boolean;
  /** Called when files were changed from outside. */
  onChange?(ref: string): void;
}

/** Stores the files of sandboxes on this machine elsewhere, and brings them here. */
export function localSnapshots({
  root,
  limits,
  create,
  destroy,
  chown = false,
  onChange,
}: LocalSnapshots): SandboxSnapshots {
  const paths = (ref: string) => directoriesIn(root, ref);
  const markOf = (ref: string) => join(paths(ref).directory, '.files');
  const readMark = async (ref: string): Promise<Mark | undefined> => {
    const text = await readFile(markOf(ref), 'utf8').catch(() => undefined);
    return text === undefined ? undefined : parseStored<Mark>(text);
  };

  return {
    current: async (ref) => (await readMark(ref))?.id,

    async fingerprint(ref) {
      const { work } = paths(ref);
      await stat(work).catch(goneIfMissing);
      return fingerprintTree(work, limits);
    },

    isChanged: async (ref, fingerprint) => (await readMark(ref))?.fingerprint !== fingerprint,

    pack: (ref) => packTree(paths(ref).work, limits),

    async mark(ref, id, fingerprint) {
      const mark: Mark = { id, fingerprint };
      await writeFile(markOf(ref), JSON.stringify(mark), { mode: 0o600 });
    },

    async unpack(spec, stream) {
      const ref = spec.id;
      await destroy(ref);
      await create(spec);
      const { work } = paths(ref);
      await unpackTree(stream, work, chown ? (await stat(work)).uid : undefined);
      onChange?.(ref);
    },

    list: async (before) => {
      const names = await readdir(root).catch(() => []);
      const refs: string[] = [];
      for (const name of names.filter((entry) => /^[0-9a-f-]{36}$/.test(entry))) {
        const facts = await stat(join(root, name)).catch(() => undefined);
        if (facts && facts.ctimeMs < before.getTime()) refs.push(name);
      }
      return refs;
    },
  };
}
