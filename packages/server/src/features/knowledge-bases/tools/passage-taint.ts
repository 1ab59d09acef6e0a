import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { KnownBase } from '../store.ts';

const both: readonly Taint[] = ['untrusted', 'private'];
const ours: readonly Taint[] = ['private'];

/** The ids of the knowledge bases whose entries say that only colleagues write there. */
const trustedBases = ({ knowledge_bases, tools }: Pick<Settings, 'knowledge_bases' | 'tools'>): ReadonlySet<string> =>
  new Set(
    [
      ...knowledge_bases.map((entry) => (typeof entry === 'string' ? {} : entry)),
      ...tools.flatMap(({ type, kb_id, ...entry }) => (type === 'kb_qa' ? { ...entry, id: kb_id } : [])),
    ].flatMap((entry: { id?: unknown; trusted?: unknown; enabled?: unknown }) =>
      entry.trusted === true && entry.enabled !== false ? [String(entry.id).toLowerCase()] : [],
    ),
  );

/**
 * The taint of searches: documents belong to the workspace, but their authors may be strangers. Passages of trusted
 * knowledge bases alone are not untrusted.
 */
export function makePassageTaint(settings: Pick<Settings, 'knowledge_bases' | 'tools'>) {
  const trusted = trustedBases(settings);
  return (within: readonly KnownBase[]) => {
    // Results name their knowledge base, and two can have one name.
    const strangers = new Set(within.flatMap(({ id, name }) => (trusted.has(id) ? [] : [name])));
    if (strangers.size === 0) return { brings: ours };
    return {
      brings: both,
      brought(output: unknown): readonly Taint[] {
        const { results } = output as { results: { knowledge_base: string }[] };
        const isOurs = results.length > 0 && results.every(({ knowledge_base }) => !strangers.has(knowledge_base));
        return isOurs ? ours : both;
      },
    };
  };
}
