import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EndReason, Language } from '@atrium/contract/sandboxes/engines.ts';
import type { Limits, SandboxDriver } from '../../src/drivers/sandboxes/driver.ts';
import { limited } from '../../src/drivers/sandboxes/limit-command.ts';
import { runToEnd } from '../../src/drivers/sandboxes/run-to-end.ts';

const mebibyte = 1024 * 1024;

/** Small, so that each is reached soon; an attack on a sandbox that does not hold ends by itself not far above. */
export const attackLimits: Limits = {
  wall_ms: 30_000,
  cpu_seconds: 3,
  memory_bytes: 128 * mebibyte,
  processes: 40,
  file_bytes: 8 * mebibyte,
  disk_bytes: 32 * mebibyte,
  inodes: 500,
  output_bytes: 2 * mebibyte,
};

export interface Said {
  stdout: string;
  stderr: string;
  reason: EndReason;
  exit_code: number | null;
  ms: number;
}

export interface Rig {
  driver: SandboxDriver;
  /** A new sandbox. */
  sandbox(): Promise<string>;
  run(ref: string, code: string, language?: Language, wall_ms?: number): Promise<Said>;
  /** The path of a file on this machine, the secret in the file, and a secret in this process's environment. */
  host_file: string;
  file_secret: string;
  process_secret: string;
  tcp_port: number;
  abstract_name: string;
  /** Where the sandboxes of this machine live; undefined for those that live elsewhere. */
  root: string | undefined;
}

const listening = (server: Server, at: number | string) =>
  new Promise<void>((resolve, reject) => server.once('error', reject).listen(at as number, '127.0.0.1', resolve));

/** Everything an attack could be after, laid out. `ATTACK_SECRET` has to be in the environment this process began with. */
export async function makeRig(
  driver: SandboxDriver,
  root: string | undefined,
  most_ms: number,
): Promise<Rig & { close(): Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-attack-'));
  chmodSync(dir, 0o755);
  const [host_file, file_secret] = [join(dir, 'secret.txt'), randomBytes(12).toString('hex')];
  writeFileSync(host_file, file_secret, { mode: 0o644 });
  const answering = () => createServer((socket) => socket.on('error', () => {}).end(file_secret));
  const [tcp, abstract] = [answering(), answering()];
  await listening(tcp, 0);
  const abstract_name = `atrium-attack-${randomUUID()}`;
  await new Promise<void>((resolve, reject) => abstract.once('error', reject).listen(`\0${abstract_name}`, resolve));
  const refs: string[] = [];
  return {
    driver,
    host_file,
    file_secret,
    process_secret: process.env['ATTACK_SECRET'] ?? '',
    tcp_port: (tcp.address() as { port: number }).port,
    abstract_name,
    root,
    async sandbox() {
      const ref = await driver.create({ id: randomUUID(), persistent: false, network: false });
      refs.push(ref);
      return ref;
    },
    async run(ref, code, language = 'bash', wall_ms = most_ms) {
      const begun = performance.now();
      const command = { language, code, cwd: '', env: {}, stdin: '' };
      const allowed = { wall_ms, output_bytes: attackLimits.output_bytes };
      const { stdout, stderr, ended } = await runToEnd(limited(driver, ref, command, allowed));
      return { stdout, stderr, ...ended, ms: performance.now() - begun };
    },
    async close() {
      for (const ref of refs) await driver.destroy(ref);
      tcp.close();
      abstract.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
