// `npm run dev`: the server, started again when its sources change, and the console with reload in the browser.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createServer } from 'vite';

const repository = join(import.meta.dirname, '../../..');
const watched = ['server', 'contract'].map((name) => `--watch-path=${join(repository, 'packages', name, 'src')}`);
const api = spawn(process.execPath, [...watched, join(repository, 'packages/server/src/main.ts')], {
  stdio: 'inherit',
  env: { ATRIUM_PROCESSES: '1', ...process.env },
});

const pages = await createServer({ configFile: join(import.meta.dirname, '../vite.config.ts') });
await pages.listen();
pages.printUrls();

const stop = async () => {
  api.kill('SIGTERM');
  await pages.close();
};
api.once('exit', (code) => {
  process.exitCode = code ?? 0;
  void pages.close();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
