// Starts the program: its current bundle in dist/, or its sources where there is none. `npm start` builds first.
import { existsSync, readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';

enableCompileCache();
const pointer = new URL('./dist/current', import.meta.url);
const program = existsSync(pointer) ? `./dist/${readFileSync(pointer, 'utf8')}/main.mjs` : './src/main.ts';
await import(program);
