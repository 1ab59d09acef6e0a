import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useClient, useWorkspace } from '../api/session.ts';
import { type ReferenceKind, referenceKinds } from './reference-kinds.ts';

/** Records of a kind whose name fits what was typed. */
export function useFoundReferences(kind: ReferenceKind, typed: string, enabled = true) {
  const client = useClient();
  const { id } = useWorkspace();
  const search = useDeferredValue(typed.trim());
  const how = referenceKinds[kind];
  const { data = [] } = useQuery({
    queryKey: [id, how?.plural ?? kind, 'found', kind, search],
    queryFn: () => how?.list(client, search) ?? [],
    placeholderData: keepPreviousData,
    enabled: enabled && how !== undefined,
  });
  return data;
}

/** The name of a record that a value names; null when it can't be read. */
export function useReferenceName(kind: ReferenceKind, reference: string): string | null | undefined {
  const client = useClient();
  const { id } = useWorkspace();
  const how = referenceKinds[kind];
  const { data } = useQuery({
    queryKey: [id, how?.plural ?? kind, 'name', reference],
    queryFn: () =>
      how?.get(client, reference).then(
        ({ name }) => name,
        () => null,
      ) ?? null,
    enabled: reference !== '',
    staleTime: 60_000,
  });
  return data;
}
