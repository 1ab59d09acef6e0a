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

/** Says what the chat loads first and throws when it is over the cap. */
export function checkSizes(dist: string): number {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
  const sizeOf = (pages: readonly string[]) =>
    [...filesOf(manifest, pages)]
      .map((file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length)
      .reduce((sum, bytes) => sum + bytes / 1000, 0);
  const size = sizeOf(chatPages);
  console.log(`Script before the chat works: ${size.toFixed(1)} KB compressed (aim ${chatAim}, cap ${chatCap})`);
  console.log(`Script of the page for visitors: ${sizeOf(['chat.html']).toFixed(1)} KB compressed`);
  if (size > chatCap) throw new Error(`the chat loads ${size.toFixed(1)} KB of script, more than ${chatCap}`);
  return size;
}
