import { useQuery } from '@tanstack/react-query';
import { preferencesQuery } from '../../lib/preferences.ts';

/** The height of a row of the grid, by the density that the person chose. */
export function useRowHeight(): number {
  const { data } = useQuery(preferencesQuery);
  return data?.density === 'compact' ? 30 : 36;
}
