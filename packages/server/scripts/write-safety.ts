import { writeFileSync } from 'node:fs';
import { safetyDocument } from '../safety-eval/document.ts';

const text = await safetyDocument();
writeFileSync(new URL('../../../docs/safety.md', import.meta.url), text);
process.stdout.write(text);
