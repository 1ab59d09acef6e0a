import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { useWorkspace } from '../../api/session.ts';
import type { Form } from '../../forms/form-types.ts';

/** The form of variables, the same for every workspace. */
export const variableFormQuery = queryOptions({
  queryKey: ['fields', 'variables'],
  queryFn: (): Promise<Form> => client.fields.get('variables'),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Loads everything of a kind again, such as `variables`. */
export function useRefresh(...kinds: readonly string[]) {
  const queries = useQueryClient();
  const { id } = useWorkspace();
  return () => Promise.all(kinds.map((kind) => queries.invalidateQueries({ queryKey: [id, kind] })));
}
