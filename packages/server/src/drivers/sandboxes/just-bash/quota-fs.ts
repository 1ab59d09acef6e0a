import { type FileContent, type IFileSystem, ReadWriteFs } from 'just-bash';
import type { Limits } from '../driver.ts';
import type { Usage } from '../local/usage-counter.ts';

type QuotaReason = 'disk' | 'inodes' | 'file_size';

interface Quota {
  root: string;
  limits: Pick<Limits, 'disk_bytes' | 'file_bytes' | 'inodes'>;
  used: Usage;
  /** Called once; the command ends with it. */
  onExceeded(reason: QuotaReason): void;
}

const sizeOf = (content: FileContent) => (typeof content === 'string' ? Buffer.byteLength(content) : content.length);

/**
 * A directory with a quota. Deleted files free their space only for the next command: counting up is enough to stay
 * within the quota.
 */
export class QuotaFs extends ReadWriteFs {
  readonly #quota: Quota;
  #bytes: number;
  #inodes: number;

  constructor(quota: Quota) {
    const { file_bytes } = quota.limits;
    super({
      root: quota.root,
      maxFileReadSize: file_bytes,
      maxCopySize: file_bytes,
      maxCopyOnWriteSize: file_bytes,
      allowSymlinks: false,
    });
    this.#quota = quota;
    this.#bytes = quota.used.bytes;
    this.#inodes = quota.used.inodes;
  }

  #refuse(reason: QuotaReason): never {
    this.#quota.onExceeded(reason);
    throw new Error(reason === 'file_size' ? 'EFBIG: file too large' : 'ENOSPC: no space left on device');
  }

  #take(bytes: number, inodes: number): void {
    const { disk_bytes, inodes: most } = this.#quota.limits;
    this.#bytes += bytes;
    this.#inodes += inodes;
    if (this.#bytes > disk_bytes) this.#refuse('disk');
    if (this.#inodes > most) this.#refuse('inodes');
  }

  async #sizeAt(path: string): Promise<number> {
    return (await this.exists(path)) ? (await this.stat(path)).size : 0;
  }

  override async writeFile(...[path, content, options]: Parameters<ReadWriteFs['writeFile']>): Promise<void> {
    if (sizeOf(content) > this.#quota.limits.file_bytes) this.#refuse('file_size');
    this.#take(sizeOf(content), 1);
    return super.writeFile(path, content, options);
  }

  override async appendFile(...[path, content, options]: Parameters<ReadWriteFs['appendFile']>): Promise<void> {
    if ((await this.#sizeAt(path)) + sizeOf(content) > this.#quota.limits.file_bytes) this.#refuse('file_size');
    this.#take(sizeOf(content), 1);
    return super.appendFile(path, content, options);
  }

  override async mkdir(...[path, options]: Parameters<ReadWriteFs['mkdir']>): Promise<void> {
    this.#take(4096, path.split('/').length);
    return super.mkdir(path, options);
  }

  override async cp(...[from, to, options]: Parameters<ReadWriteFs['cp']>): Promise<void> {
    await this.#takeTree(from);
    return super.cp(from, to, options);
  }

  /** Drops the setuid and setgid bits. */
  override chmod(...[path, mode]: Parameters<ReadWriteFs['chmod']>): Promise<void> {
    return super.chmod(path, mode & 0o777);
  }

  override async link(...[existing, path]: Parameters<ReadWriteFs['link']>): Promise<void> {
    this.#take(0, 1);
    return super.link(existing, path);
  }

  async #takeTree(path: string): Promise<void> {
    const found = await (this as IFileSystem).lstat(path).catch(() => undefined);
    if (!found) return;
    this.#take(found.isDirectory ? 4096 : found.size, 1);
    if (!found.isDirectory) return;
    for (const name of await this.readdir(path)) await this.#takeTree(`${path}/${name}`);
  }
}
