import type { EmittedEvent } from './ui/chunk-types.ts';

type Words = Extract<EmittedEvent, { type: 'text-delta' | 'reasoning-delta' }>;

/**
 * Keeps what an attempt said that was discarded for another one. When the run fails before the other one has said
 * anything, these words stand again: people have read them. Words that a guardrail took back are gone.
 */
export function makeLostWords() {
  let said: Words[] = [];
  let lost: Words[] = [];

  function hear(words: Words): void {
    if (!words.text || words.withheld) return;
    const last = said.at(-1);
    const goesOn =
      last?.type === words.type &&
      last.step === words.step &&
      (last.type === 'reasoning-delta' || words.type === 'reasoning-delta' || last.advice === words.advice);
    if (last && goesOn) last.text += words.text;
    else said.push({ ...words });
  }

  return {
    /** Takes the next event of the run; returns the words that stand again before it. */
    add(event: EmittedEvent): readonly Words[] {
      if (event.type === 'text-delta' || event.type === 'reasoning-delta') hear(event);
      else if (event.type === 'attempt-start' && event.discard) {
        lost = event.withheld ? [] : said.length ? said : lost;
        said = [];
      } else if (event.type === 'step-start' || event.type === 'step-end' || event.type === 'guardrail')
        [said, lost] = [[], []];
      else if (event.type === 'run-end' && event.status === 'failed') return said.length ? [] : lost;
      return [];
    },
  };
}
