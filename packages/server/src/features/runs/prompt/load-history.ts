import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { LoadedConversation } from '../../conversations/ports.ts';
import type { SentFile } from '../../messages/ports.ts';
import type { Tool } from '../../tools/ports.ts';
import type { RunModels } from '../models/models-for-run.ts';
import type { RunRow } from '../store.ts';
import { fileReadersOf } from './file-readers.ts';
import { type History, makeHistoryLoader } from './prompt.ts';

interface Loading {
  row: LoadedConversation['row'];
  settings: Settings;
  models: RunModels;
  /** Nothing was said before. */
  first: boolean;
  tools: readonly Tool[];
  /** Whether guardrails judge what is sent. */
  judged: boolean;
}

/** Loads the messages before a run for its model and tools, and notes with its message what was sent of the files. */
export function makeRunHistory(deps: Parameters<typeof makeHistoryLoader>[0]) {
  const historyOf = makeHistoryLoader(deps);
  return async (scope: Scope, run: RunRow, loading: Loading): Promise<History> => {
    const { row, settings, models, first, tools, judged } = loading;
    const sent: Record<string, SentFile> = {};
    const history = await historyOf(scope, run, settings, models, {
      first,
      agent_id: row.assistant_id,
      readBy: fileReadersOf(scope, settings, models, tools),
      // A client of completions sends its history itself, so all of it is judged.
      judged: !judged ? 'none' : row.chat_transport === 'openai' ? 'all' : 'newest',
      onSent: (file_id, what) => {
        sent[file_id] = what;
      },
    });
    if (Object.keys(sent).length)
      await deps.transcript.noteSentFiles(deps.db, run.group_id, run.conversation_id, run.user_message_id, sent);
    return history;
  };
}
