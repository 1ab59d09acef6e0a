import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApi } from '@atrium/contract/openapi.ts';
import { operations } from '@atrium/contract/operations.ts';
import { nodesDocument } from '@atrium/contract/workflows/node-types/nodes-document.ts';
import { settingsDocument } from '../src/features/settings/documentation.ts';
import { envExample, readmeWithSettings } from './document-config.ts';

const root = new URL('../../../', import.meta.url).pathname;
const docs = join(root, 'docs');
mkdirSync(docs, { recursive: true });
writeFileSync(join(docs, 'settings.md'), settingsDocument());
writeFileSync(join(docs, 'nodes.md'), nodesDocument());
writeFileSync(join(docs, 'openapi.json'), `${JSON.stringify(openApi(operations), null, 2)}\n`);
writeFileSync(join(root, 'README.md'), readmeWithSettings(readFileSync(join(root, 'README.md'), 'utf8')));
writeFileSync(join(root, '.env.example'), envExample());
