import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApi } from '@atrium/contract/openapi.ts';
import { makeApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { startEmbedded } from '../src/db/embedded/start-embedded.ts';
import { settingsDocument } from '../src/features/settings/documentation.ts';
import { nodesDocument } from '../src/features/workflows/node-types/nodes-document.ts';
import { makeLog } from '../src/lib/log.ts';
import { envExample, readmeWithSettings } from './document-config.ts';

/** The API as the program really serves it: started on an empty data directory, asked, and thrown away. */
async function apiDocument(): Promise<object> {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-docs-'));
  const server = await startEmbedded({ dir: join(dir, 'postgres') });
  try {
    const config = loadConfig({ ATRIUM_DATA_DIR: dir, ATRIUM_ROLES: 'http', PORT: '0' });
    const app = await makeApp(config, server.connection, makeLog('silent'));
    await app.close();
    return openApi(app.routes);
  } finally {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

const root = new URL('../../../', import.meta.url).pathname;
const docs = join(root, 'docs');
mkdirSync(docs, { recursive: true });
writeFileSync(join(docs, 'settings.md'), settingsDocument());
writeFileSync(join(docs, 'nodes.md'), nodesDocument());
writeFileSync(join(docs, 'openapi.json'), `${JSON.stringify(await apiDocument(), null, 2)}\n`);
writeFileSync(join(root, 'README.md'), readmeWithSettings(readFileSync(join(root, 'README.md'), 'utf8')));
writeFileSync(join(root, '.env.example'), envExample());
