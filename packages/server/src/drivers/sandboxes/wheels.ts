import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isPublic } from './bubblewrap/sandbox-uid.ts';
import { visibleRootPath } from './bubblewrap/shown-root.ts';

/** Where sandboxes see the operator's folder of Python wheels. */
export const wheelsAt = '/opt/wheels';

/** Where pip puts programs of packages. */
export const wheelPrograms = (home: string) => `${home}/.python/bin`;

/** Lets pip install wheels of the folder into the files of the sandbox, where Python finds them. */
export const wheelVariables = ({ home, network }: { home: string; network: boolean }): Record<string, string> => ({
  PIP_FIND_LINKS: wheelsAt,
  // Without a network, pip would wait for an index that it can't reach.
  ...(!network && { PIP_NO_INDEX: '1' }),
  PIP_USER: '1',
  PIP_BREAK_SYSTEM_PACKAGES: '1',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PIP_NO_CACHE_DIR: '1',
  PYTHONUSERBASE: `${home}/.python`,
});

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

/** Why the folder can't be shown to sandboxes; undefined when it can. `hidden`: what no sandbox may read. */
export function troubleWithWheels(folder: string, hidden: readonly string[]): string | undefined {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return 'there is no such folder';
  const exposed = hidden.find((path) => isWithin(resolve(path), resolve(folder)));
  if (exposed !== undefined) return `sandboxes would read ${exposed}, which lies in it`;
  if (process.getuid?.() !== 0) return undefined;
  // When the server is root, sandboxes run as users of their own.
  if (isWithin(resolve(folder), visibleRootPath)) return `sandboxes do not see what lies below ${visibleRootPath}`;
  return isPublic(folder) ? undefined : 'users of this machine must be able to read it: chmod it and the folders above';
}
