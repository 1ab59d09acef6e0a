import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { formTexts } from '../../text/forms.ts';

export interface OfferedVariable {
  /** What stands between the braces: `company`, or `secret.DESK_KEY`. */
  name: string;
  help: string | undefined;
}

/** Variables whose names fit what is typed after `{{`; undefined while nothing is typed there. */
export function useVariableNames(typed: string | undefined): OfferedVariable[] {
  const client = useClient();
  const { id } = useWorkspace();
  const may = useMay()('variables_read');
  const search = useDeferredValue(typed?.replace(/^secret\./, '') ?? '');
  const { data } = useQuery({
    queryKey: [id, 'variables', 'names', search],
    queryFn: () => client.variables.list({ size: 8, view: 'summary', ...(search && { search }) }),
    placeholderData: keepPreviousData,
    enabled: typed !== undefined && may,
  });
  if (typed === undefined) return [];
  return (data?.items ?? []).map(({ name, is_secret }) => ({
    name: is_secret ? `secret.${name}` : name,
    help: is_secret ? formTexts.secretHelp : undefined,
  }));
}
