import { effective } from '@atrium/contract/knowledge-bases/settings/settings.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Embedders } from '../../embeddings/service.ts';
import type { Anonymizer } from '../../model-calls/ports.ts';
import type { KbAnonymizers } from '../anonymizers.ts';
import type { KnownBase } from '../store.ts';

const mostChosen = 3;
/** A knowledge base is chosen if its score is at least this share of the best one. */
const near = 0.85;
const patience_ms = 5000;

export const about = ({ name, description, summary }: KnownBase) =>
  [name, description, summary].filter(Boolean).join('. ').slice(0, 600);

/** The part of `about` that a model has written from the documents. */
export function summaryIn(text: string, { name, description }: KnownBase): string[] {
  const { length } = [name, description].filter(Boolean).join('. ');
  const summary = text.slice(length).replace(/^\. /, '');
  return summary ? [summary] : [];
}

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);

/** The knowledge bases whose description shares most words with the question; all when none shares any. */
function byWords(bases: readonly KnownBase[], question: string): readonly KnownBase[] {
  const asked = wordsOf(question);
  const scored = bases.map((base) => ({
    base,
    fit: [...wordsOf(about(base))].filter((word) => asked.has(word)).length,
  }));
  const best = scored.filter(({ fit }) => fit > 0).toSorted((a, b) => b.fit - a.fit);
  return best.length ? best.map(({ base }) => base) : bases;
}

function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let [dot, a, b] = [0, 0, 0];
  for (let at = 0; at < one.length; at++) {
    const [x, y] = [one[at] ?? 0, other[at] ?? 0];
    [dot, a, b] = [dot + x * y, a + x * x, b + y * y];
  }
  return a && b ? dot / Math.sqrt(a * b) : 0;
}

/** Chooses the knowledge bases for a question: by the vector of their summary if they have one, otherwise by words. */
export function makeChooseKnowledgeBases(embedders: Embedders, anonymizers: Pick<KbAnonymizers, 'embedding'>) {
  async function vectorFor(scope: Scope, names: readonly string[], question: string, anonymizer: Anonymizer) {
    const embedder = await embedders.resolve(scope, names);
    if ('reason' in embedder) return undefined;
    const signal = AbortSignal.any([scope.signal, AbortSignal.timeout(patience_ms)]);
    const [vector] = await embedder.embed([question], anonymizer, signal);
    return vector;
  }

  /** The nearest by their summaries, the best first; and those of which that can't be said. */
  async function bySummary(scope: Scope, bases: readonly KnownBase[], question: string, anonymizer: Anonymizer) {
    const vectors = new Map<string, ReturnType<typeof vectorFor>>();
    const scored = await Promise.all(
      bases.map(async (base) => {
        const { summary_embedding: own } = base;
        if (!own?.length) return { base, score: undefined };
        const settings = effective(base.settings);
        const names = embedders.effectiveNames(settings.embedding_model);
        const key = JSON.stringify([names, settings.pii_anonimization]);
        const vector =
          vectors.get(key) ??
          // Without a vector the knowledge base is compared by its words.
          vectorFor(scope, names, question, anonymizers.embedding(settings, anonymizer)).catch(() => undefined);
        vectors.set(key, vector);
        const made = await vector;
        return { base, score: made?.length === own.length ? cosine(made, own) : undefined };
      }),
    );
    scope.signal.throwIfAborted();
    const known = scored.flatMap(({ base, score }) => (score === undefined ? [] : [{ base, score }]));
    const best = Math.max(...known.map(({ score }) => score));
    const nearest = known.filter(({ score }) => score >= best * near).toSorted((a, b) => b.score - a.score);
    return {
      nearest: nearest.map(({ base }) => base),
      unknown: scored.filter(({ score }) => score === undefined).map(({ base }) => base),
    };
  }

  return {
    /** The best few. */
    async choose(scope: Scope, bases: readonly KnownBase[], question: string, anonymizer: Anonymizer) {
      const { nearest, unknown } = await bySummary(scope, bases, question, anonymizer);
      if (nearest.length === 0) return byWords(bases, question).slice(0, mostChosen);
      const spoken = byWords(unknown, question);
      return [...nearest, ...(spoken.length < unknown.length ? spoken : [])].slice(0, mostChosen);
    },

    /** All but those that are plainly about something else. */
    async route(scope: Scope, bases: readonly KnownBase[], question: string, anonymizer: Anonymizer) {
      const { nearest, unknown } = await bySummary(scope, bases, question, anonymizer);
      return [...nearest, ...unknown];
    },
  };
}
