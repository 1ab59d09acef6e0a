import { fileURLToPath } from 'node:url';
import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { makeExtract } from '../../drivers/extractors/extract.ts';
import { makeFormulas } from '../../drivers/formulas/worker-formulas.ts';
import { makePageReader } from '../../drivers/pages/readability.ts';
import type { Web } from '../../drivers/web/driver.ts';
import { makeGuardedWeb } from '../../drivers/web/guarded-fetch.ts';
import { makeBrave } from '../../drivers/web-search/brave.ts';
import type { WebSearch } from '../../drivers/web-search/driver.ts';
import { makeSearxng } from '../../drivers/web-search/searxng.ts';
import { makeTavily } from '../../drivers/web-search/tavily.ts';
import { type Agents, readSettings } from '../../features/agents/service.ts';
import { makeConversationSandbox } from '../../features/base-tools/code-execution/conversation-sandbox.ts';
import { makeSandboxTools } from '../../features/base-tools/code-execution/sandbox-tools.ts';
import { makeCodeTools, makePythonTool } from '../../features/base-tools/code-execution/tools.ts';
import { conversationFileRoutes } from '../../features/base-tools/conversation-files/handlers.ts';
import { makeConversationFiles } from '../../features/base-tools/conversation-files/service.ts';
import { makeDocumentation } from '../../features/base-tools/documentation/documentation-pages.ts';
import { makeDocumentationTools } from '../../features/base-tools/documentation/tools.ts';
import { makeFileTools } from '../../features/base-tools/files/tools.ts';
import { makeFilesystemTools } from '../../features/base-tools/filesystem/tools.ts';
import { makeImageTools } from '../../features/base-tools/image-generation/tools.ts';
import { type MemoryOwners, memoryRoutes } from '../../features/base-tools/memory/handlers.ts';
import { makeMemorySubject } from '../../features/base-tools/memory/memory-subject.ts';
import { makeSealMemoriesJob } from '../../features/base-tools/memory/sealed-memories.ts';
import { makeMemories } from '../../features/base-tools/memory/service.ts';
import { makeMemoryTools } from '../../features/base-tools/memory/tools.ts';
import { makeTodoTools } from '../../features/base-tools/todos/tools.ts';
import { collectKnownTexts } from '../../features/base-tools/web-research/known-texts.ts';
import { makeReadPage } from '../../features/base-tools/web-research/read-page.ts';
import { makeWebTools } from '../../features/base-tools/web-research/tools.ts';
import type { Conversations } from '../../features/conversations/service.ts';
import { makeTodoList } from '../../features/conversations/todos.ts';
import { makeTranscript } from '../../features/conversations/transcript.ts';
import type { FileTexts } from '../../features/files/ports.ts';
import type { Files } from '../../features/files/service.ts';
import type { Keyring } from '../../features/keyring/service.ts';
import type { MessagePart } from '../../features/messages/ports.ts';
import { readEvents } from '../../features/runs/log/run-log-store.ts';
import type { AgentRunDeps } from '../../features/runs/loop/agent-run.ts';
import type { ToolContext, ToolProvider } from '../../features/tools/ports.ts';
import { toolText } from '../../features/tools/service.ts';
import { parseStored } from '../../lib/json/parse-stored.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Models } from '../models.ts';
import type { Safety } from '../safety.ts';
import type { composeSandboxes } from './sandboxes.ts';

export interface BaseToolOptions {
  db: Database;
  keyring: Keyring;
  config: Config;
  files: Files;
  texts: FileTexts;
  agents: Agents;
  safety: Safety;
  models: Models;
  web: Web;
  conversations: Conversations;
  sandboxing: ReturnType<typeof composeSandboxes>;
}

/** The search service. The operator chose its address, which may be in a private network. */
function makeSearch({ search, web_allow }: Pick<Config, 'search' | 'web_allow'>): WebSearch | undefined {
  if (!search) return undefined;
  const { service, url, api_key } = search;
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const web = makeGuardedWeb({ allow: [...web_allow, host] });
  if (service === 'searxng') return makeSearxng({ web, url });
  return service === 'brave' ? makeBrave({ web, url, api_key }) : makeTavily({ web, url, api_key });
}

/** The tools that every agent can have. */
export function composeBaseTools(options: BaseToolOptions) {
  const { db, keyring, config, files, texts, agents, safety, models, web, conversations, sandboxing } = options;
  const transcript = makeTranscript({ db });
  const kept = makeConversationFiles({ db, files, transcript });
  const { engines, sandboxes, commands } = sandboxing;
  const sandbox = makeConversationSandbox({ db, engines, sandboxes, commands, kept });
  const root = fileURLToPath(new URL('../../../../../', import.meta.url));
  const extract = makeExtract();
  const memories = makeMemories({ db, keyring, findPii: safety.findPii });
  const messages = (scope: Scope, id: string) => transcript.listLatest(db, scope.workspace_id, id, 1000);
  async function results({ workspace_id }: Scope, run_id: string) {
    const events = await readEvents(db, workspace_id, run_id, 0, 10_000);
    return events.flatMap((event) =>
      event.type === 'tool-result' ? [{ name: event.name, output: toolText(event.output) }] : [],
    );
  }
  const readPage = makeReadPage({ web, reader: makePageReader(), extract });
  async function knownTexts(scope: Scope, { conversation_id, run_id }: ToolContext) {
    const [rows, current] = await Promise.all([messages(scope, conversation_id), results(scope, run_id)]);
    const parts = rows.flatMap((row) => parseStored<MessagePart[]>(row.parts));
    return collectKnownTexts(parts, current);
  }
  const owners: MemoryOwners = {
    agent: async (scope, id) => effectiveSettings(readSettings((await agents.get(scope, id)).definition)),
    conversation: async (scope, id) => (await transcript.read(scope, id)).settings,
  };
  const sources: ToolProvider[] = [
    makeTodoTools(makeTodoList({ db })),
    makeFileTools({ kept, formulas: makeFormulas(), python: makePythonTool(sandbox) }),
    makeFilesystemTools({ kept, texts }),
    makeCodeTools(sandbox),
    makeSandboxTools(sandbox),
    makeDocumentationTools(makeDocumentation(root)),
    makeWebTools({ search: makeSearch(config), search_url: config.search?.url, readPage, knownTexts }),
    makeImageTools({ imageGenerators: models.imageGenerators, kept }),
    makeMemoryTools({ memories, subjectOf: makeMemorySubject(transcript) }),
  ];
  const routes = [...conversationFileRoutes(kept, conversations.find), ...memoryRoutes(memories, owners)];
  /** Stores the part of a long result that the model did not read as a file that its tools find. */
  const keepOutput: AgentRunDeps['keep'] = (scope, { id: run_id, conversation_id }, tool, text) =>
    kept.keep(
      scope,
      { run_id, conversation_id },
      { filename: `${tool}-${Date.now()}.txt`, bytes: Buffer.from(text), tool, inline: false },
    );
  return { toolSources: sources, keepOutput, routes, jobs: [makeSealMemoriesJob({ db, keyring })] };
}
