import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Database } from '../../../db/database.ts';
import type { Transcript } from '../../conversations/ports.ts';
import type { MessageOrigin } from '../prompt/prompt.ts';
import type { RunRow } from '../store.ts';
import { type CompactionMemory, newMemory } from './compactor.ts';

const keyOf = ({ message_id, place }: Pick<MessageOrigin, 'message_id' | 'place'>) => `${message_id}:${place}`;

/**
 * The summary that is stored with the conversation, as the compactor of a run uses it. A run's own steps count as the
 * message that it is going to store, so a summary that a run has made holds after a crash and in later turns.
 */
export async function openSummary(
  { db, transcript }: { db: Database; transcript: Pick<Transcript, 'readSummary' | 'saveSummary'> },
  run: Pick<RunRow, 'group_id' | 'conversation_id' | 'message_id'>,
  conversation: { summarized: boolean },
  settings: Pick<Settings, 'compaction_enabled' | 'compaction_strategy'>,
  origins: readonly MessageOrigin[],
  /** The number of messages of finished steps of this run. */
  own: number,
): Promise<{ memory: CompactionMemory; save(text: string, covered: ReadonlySet<number>): Promise<unknown> }> {
  const originAt = (index: number): MessageOrigin =>
    origins[index] ?? {
      message_id: run.message_id,
      seq: Number.POSITIVE_INFINITY,
      place: index - origins.length,
    };
  const memory = newMemory();
  const isUsed = settings.compaction_enabled && settings.compaction_strategy !== 'truncate';
  const stored =
    isUsed && conversation.summarized ? await transcript.readSummary(db, run.group_id, run.conversation_id) : null;
  const last = stored?.message_id === run.message_id ? Number.POSITIVE_INFINITY : (stored?.seq ?? null);
  if (stored && last !== null) {
    memory.summary = stored.text;
    const kept = new Set(stored.kept);
    for (let index = 0; index < origins.length + own; index++) {
      const origin = originAt(index);
      const isOlder = origin.seq < last || (origin.seq === last && origin.place < stored.places);
      if (isOlder && !kept.has(keyOf(origin))) memory.covered.add(index);
    }
  }

  return {
    memory,
    async save(text, covered) {
      const newest = Math.max(...covered);
      const { message_id, place } = originAt(newest);
      const kept = Array.from({ length: newest }, (_, index) => index).filter((index) => !covered.has(index));
      const summary = { text, message_id, places: place + 1, kept: kept.map((index) => keyOf(originAt(index))) };
      await transcript.saveSummary(db, run.group_id, run.conversation_id, summary);
    },
  };
}
