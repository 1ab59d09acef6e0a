import { useQueryClient } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { useBase } from '../base/base-context.ts';
import { place, type QuestionSet, readSets } from './read-sets.ts';

/** Stores the sets. If another person changed them meanwhile, this fails with a conflict and overwrites nothing. */
export function useSaveSets() {
  const client = useClient();
  const base = useBase();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  return async (change: (sets: QuestionSet[]) => QuestionSet[]): Promise<void> => {
    const meta = { ...base.meta, [place]: change(readSets(base.meta)) };
    try {
      const saved = await client.knowledgeBases.update(base.id, { meta }, { ifMatch: base.etag });
      queries.setQueryData([w, 'knowledge_bases', 'one', base.id], saved);
    } catch (error) {
      await queries.invalidateQueries({ queryKey: [w, 'knowledge_bases', 'one', base.id] });
      throw error;
    }
  };
}
