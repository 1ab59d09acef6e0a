import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { makeExtract } from '../drivers/extractors/extract.ts';
import { makeFormulas } from '../drivers/formulas/in-worker.ts';
import { makeConversationSandbox } from '../features/base-tools/code-execution/conversation-sandbox.ts';
import { makeCodeTools, makePythonTool } from '../features/base-tools/code-execution/tools.ts';
import { makeConversationFiles } from '../features/base-tools/conversation-files/service.ts';
import { makeDocumentation } from '../features/base-tools/documentation/pages.ts';
import { makeDocumentationTools } from '../features/base-tools/documentation/tools.ts';
import { makeFileTools } from '../features/base-tools/files/tools.ts';
import { makeFileTexts } from '../features/base-tools/filesystem/texts.ts';
import { makeFilesystemTools } from '../features/base-tools/filesystem/tools.ts';
import { makeTodoTools } from '../features/base-tools/todos/tools.ts';
import { makeTodoList } from '../features/conversations/todos.ts';
import { makeTranscript } from '../features/conversations/transcript.ts';
import type { Files } from '../features/files/service.ts';
import type { ToolSource } from '../features/runs/offered-tools.ts';
import type { makeSandboxing } from './sandboxes.ts';

export interface BaseToolOptions {
  db: Database;
  config: Config;
  files: Files;
  sandboxing: ReturnType<typeof makeSandboxing>;
}

/** The tools that every agent can have, whatever its settings name besides. */
export function makeBaseTools({ db, files, sandboxing }: BaseToolOptions) {
  const transcript = makeTranscript({ db });
  const kept = makeConversationFiles({ db, files, transcript });
  const { engines, sandboxes, commands } = sandboxing;
  const sandbox = makeConversationSandbox({ db, engines, sandboxes, commands, kept });
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const sources: ToolSource[] = [
    makeTodoTools(makeTodoList({ db })),
    makeFileTools({ kept, formulas: makeFormulas(), python: makePythonTool(sandbox) }),
    makeFilesystemTools({ kept, texts: makeFileTexts({ kept, extract: makeExtract() }) }),
    makeCodeTools(sandbox),
    makeDocumentationTools(makeDocumentation(root)),
  ];
  return { toolSources: sources };
}
