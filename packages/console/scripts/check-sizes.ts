import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
}

/** Compressed script, in units of 1,000 bytes, that a browser loads before the chat works. */
const chatAim = 200;
const chatCap = 300;
const chatPages = ['index.html', 'src/chat/chat-page.tsx'];

/** Compressed script that the pages of a folder may load beside the shell; an editor of code comes on request. */
const pageCaps: Readonly<Record<string, number>> = {
  ...{ chat: 60, inbox: 40, agents: 40, workflows: 120, knowledge: 40, tables: 45, resources: 40 },
  ...{ runs: 30, insights: 35, evaluations: 35, admin: 40, help: 40 },
};

/** The files that these pages load at once, with all that they import statically. */
function filesOf(manifest: Record<string, Chunk>, pages: readonly string[]): Set<string> {
  const found = new Set<string>();
  const waiting = [...pages];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`The build has no ${key}`);
    if (found.has(chunk.file)) continue;
    found.add(chunk.file);
    waiting.push(...(chunk.imports ?? []));
  }
  return found;
}

/** Says what the chat loads first and what the pages add, and throws when one is over its cap. */
export function checkSizes(dist: string): number {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
  const bytesOf = (file: string) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
  const sizeOf = (pages: readonly string[], known: ReadonlySet<string> = new Set()) =>
    [...filesOf(manifest, pages)]
      .filter((file) => !known.has(file))
      .reduce((sum, file) => sum + bytesOf(file) / 1000, 0);
  const size = sizeOf(chatPages);
  console.log(`Script before the chat works: ${size.toFixed(1)} KB compressed (aim ${chatAim}, cap ${chatCap})`);
  console.log(`Script of the page for visitors: ${sizeOf(['chat.html']).toFixed(1)} KB compressed`);
  if (size > chatCap) throw new Error(`the chat loads ${size.toFixed(1)} KB of script, more than ${chatCap}`);
  const shell = filesOf(manifest, ['index.html']);
  for (const [folder, cap] of Object.entries(pageCaps)) {
    const within = (ending: string) =>
      Object.keys(manifest).filter((key) => key.startsWith(`src/${folder}/`) && key.endsWith(ending));
    const frames = within('-frame.tsx');
    const sizes = within('-page.tsx').map((page) => ({ page, size: sizeOf([...frames, page], shell) }));
    const largest = sizes.toSorted((one, other) => other.size - one.size)[0];
    if (!largest) continue;
    console.log(`Largest page of ${folder}: ${largest.size.toFixed(1)} KB compressed beside the shell (cap ${cap})`);
    if (largest.size > cap)
      throw new Error(`${largest.page} loads ${largest.size.toFixed(1)} KB of script, more than ${cap}`);
  }
  return size;
}
