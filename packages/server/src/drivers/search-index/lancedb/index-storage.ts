import type { Connection } from '@lancedb/lancedb';
import type { Lance } from './load.ts';

/** A small file beside the table of an index. */
interface SideFile {
  bytes: Buffer;
  version: string;
}

/** The file that makes an index one: written last when an index is made, and removed first. */
export const specFile = 'spec.json';

/** Where indexes are. Their paths are `<workspace_id>/<kb_id>/<name>`, without a slash at either end. */
export interface IndexStorage {
  /** The answer to a commit can be lost, so that the engine takes its own for another writer's and adds the rows again. */
  readonly mayRepeat: boolean;
  connect(lance: Lance, path: string): Promise<Connection>;
  /** Called before the table of a new index is made. */
  prepare(path: string): Promise<void>;
  /** What has to be called after each write of the engine. */
  makeAfterWrite(path: string): () => Promise<void>;
  /** Undefined when there is none, `unchanged` when its version is the known one. */
  readFile(path: string, name: string, known?: string): Promise<SideFile | 'unchanged' | undefined>;
  /** Replaces the file at once, because searches read it at any time. */
  writeFile(path: string, name: string, bytes: Uint8Array): Promise<void>;
  removeFile(path: string, name: string): Promise<void>;
  /** The names in the folder of a knowledge base. */
  listNames(folder: string): Promise<string[]>;
  /** Copies an index as it is now, while a writer may add to it. */
  copy(from: string, to: string): Promise<void>;
  /** An index, or all below a folder; one that is already gone is fine. */
  remove(path: string): Promise<void>;
  /** What an error of the engine means for callers: that the index is missing, or that it can't be reached now. */
  explain(path: string, error: unknown): Promise<unknown>;
  /** Removes what a writer left behind that died; answers how many there were. */
  removePartial(before: Date): Promise<number>;
}
