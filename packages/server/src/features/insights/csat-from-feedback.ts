import type { Transcript } from '../conversations/ports.ts';
import { type OnFeedback, scoreOf } from '../feedback/service.ts';
import { dropScore, putScore } from './csat-store.ts';

/** Turns feedback on a conversation into a satisfaction score, when the agent measures satisfaction. */
export const makeCsatFromFeedback =
  (transcript: Transcript): OnFeedback =>
  async (tx, { workspace_id }, id, given) => {
    const settings = given && (await transcript.settingsOf(tx, workspace_id, given.conversation_id));
    const measured = settings?.insights_enabled && settings.insights_csat_enabled;
    const score = given && measured ? scoreOf(given) : null;
    if (given === null || score === null) await dropScore(tx, workspace_id, id);
    else {
      const { conversation_id } = given;
      await putScore(tx, workspace_id, { id, conversation_id, source: 'user', score, reason: null });
    }
  };
