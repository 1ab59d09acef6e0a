import { chmod, chown, mkdir, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openRoot } from './open-directory.ts';
import { removeTree } from './remove-tree.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The directories of a sandbox on this machine: `<root>/<id>/{work,run}`. Only `work` belongs to the sandbox. */
export function directoriesIn(root: string, ref: string) {
  if (!uuid.test(ref)) throw new Error('A sandbox is named by a UUID');
  const directory = join(root, ref);
  const mark = (name: string) => join(directory, `.${name}`);
  return {
    directory,
    work: join(directory, 'work'),
    run: join(directory, 'run'),
    /** The properties of a sandbox that must be known after a restart. */
    marks: {
      has: (name: string) =>
        stat(mark(name)).then(
          () => true,
          () => false,
        ),
      set: async (name: string) => (await open(mark(name), 'w', 0o600)).close(),
    },
  };
}

/** `owner`: the user that the code runs as, if it is another one. */
export async function makeDirectories(root: string, id: string, owner?: number) {
  const made = directoriesIn(root, id);
  // Other users can pass through by name only; the content belongs to the sandbox's user.
  await mkdir(root, { recursive: true, mode: 0o711 });
  await chmod(root, 0o711);
  await mkdir(made.directory, { mode: 0o711 });
  await mkdir(made.work, { mode: 0o700 });
  if (owner !== undefined) await chown(made.work, owner, owner);
  return made;
}

/** Does nothing when it is gone. */
export async function destroyDirectory(root: string, ref: string): Promise<void> {
  const { directory } = directoriesIn(root, ref);
  if (!(await stat(directory).catch(() => undefined))) return;
  const held = await openRoot(dirname(directory));
  try {
    await removeTree(held, ref);
  } finally {
    await held.handle.close();
  }
}
