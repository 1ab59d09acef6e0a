import { piiEntities } from '@atrium/contract/settings/keys/safety.ts';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { FindPii } from '../pii/ports.ts';
import type { ToolProvider } from '../tools/ports.ts';
import { defineTool } from '../tools/service.ts';
import { putScore } from './csat-store.ts';
import { idFor, isSampled } from './sampling.ts';

const does =
  'Notes how content the user is with the conversation, from 1 (not at all) to 5 (very). Call it once, when the user has ' +
  'said so or it can be told from what they say.';

/** The tool with which an agent notes how content the user is. */
export const makeCsatTool =
  ({ db, findPii }: { db: Database; findPii: FindPii }): ToolProvider =>
  async (_, settings, { conversation_id }) => {
    const wanted =
      settings.insights_enabled &&
      settings.insights_csat_enabled &&
      settings.insights_csat_agent_tool_enabled &&
      isSampled(conversation_id, settings.insights_csat_sampling_rate);
    if (!wanted) return [];
    const instructions = settings.insights_csat_agent_tool_instructions.trim();
    return [
      defineTool({
        tool: 'insights_note_satisfaction',
        description: instructions ? `${does} ${instructions}` : does,
        input: z.object({ score: z.int().min(1).max(5), reason: z.string().max(500).optional() }),
        output: z.object({ noted: z.literal(true) }),
        repeatable: true,
        async run(scope, { score, reason = '' }) {
          const clean = reason !== '' && (await findPii(reason, piiEntities)).length === 0;
          const given = { id: idFor(conversation_id, 'agent'), conversation_id, source: 'agent' as const, score };
          await db.transaction(undefined, (tx) =>
            putScore(tx, scope.workspace_id, { ...given, reason: clean ? reason : null }),
          );
          return { noted: true } as const;
        },
      }),
    ];
  };
