import { posix } from 'node:path';
import type { Archive } from './open-archive.ts';
import { all, parseXml } from './xml.ts';

export interface Relationship {
  /** The last word of its address, as `image`. */
  type: string;
  /** The name of a part of the same archive. */
  target: string;
}

/** The relationships of a part by id, without targets outside of the archive. */
export function relationshipsOf(archive: Archive, part: string): Map<string, Relationship> {
  const bytes = archive.read(posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`));
  const found = new Map<string, Relationship>();
  if (!bytes) return found;
  for (const { attributes } of all(parseXml(bytes), 'Relationship')) {
    const { Id, Target, Type, TargetMode } = attributes;
    if (!Id || !Target || !Type || TargetMode === 'External') continue;
    const target = Target.startsWith('/') ? Target.slice(1) : posix.join(posix.dirname(part), Target);
    found.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target });
  }
  return found;
}

/** The part that an Office file begins with. */
export function mainPart(archive: Archive, usual: string): string | undefined {
  const main =
    [...relationshipsOf(archive, '').values()].find(({ type }) => type === 'officeDocument')?.target ?? usual;
  return archive.has(main) ? main : undefined;
}
