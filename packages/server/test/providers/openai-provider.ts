import { chatDialect } from './chat-dialect.ts';
import { responsesDialect } from './responses-dialect.ts';
import { type ScriptedProvider, scriptedServer } from './scripted-server.ts';

/** A provider that speaks OpenAI's /chat/completions, /responses and /models. */
export const openaiProvider = (): Promise<ScriptedProvider> =>
  scriptedServer({ '/chat/completions': chatDialect, '/responses': responsesDialect });
