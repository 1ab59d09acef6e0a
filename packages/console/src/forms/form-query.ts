import { queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import type { Form } from './form-types.ts';

/** The form of a kind of record, the same for every workspace. */
export const formQuery = (kind: 'agents' | 'base-tools' | 'triggers' | 'channels') =>
  queryOptions({
    queryKey: ['fields', kind],
    queryFn: (): Promise<Form> => client.fields.get(kind),
    staleTime: Number.POSITIVE_INFINITY,
  });
