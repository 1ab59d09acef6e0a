import type { Preferences } from '@atrium/contract/preferences/schema.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { personClient } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { sayFailure } from '../ui/toast.tsx';
import { rememberKeys, useShortcutRegistry } from './shortcuts.ts';
import { setTimeZone } from './time.ts';

export const preferencesQuery = queryOptions({
  queryKey: ['preferences'],
  queryFn: () => personClient.preferences.get(),
  staleTime: 5 * 60_000,
});

/** What the page's script reads before the first paint. */
function rememberLook({ theme, density }: Pick<Preferences, 'theme' | 'density'>): void {
  try {
    const look = { ...(theme !== 'system' && { theme }), density };
    localStorage.setItem('atrium.look', JSON.stringify(look));
  } catch {
    // The browser keeps nothing; the next page begins with the look of the device.
  }
}

const darkDevice = matchMedia('(prefers-color-scheme: dark)');

function applyLook({ theme, density }: Pick<Preferences, 'theme' | 'density'>): void {
  const dark = theme === 'system' ? darkDevice.matches : theme === 'dark';
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
  document.documentElement.dataset['density'] = density;
}

/** Loads the person's preferences once and applies them, and follows the device where they say so. */
export function useApplyPreferences(): void {
  const { data } = useQuery(preferencesQuery);
  useEffect(() => {
    if (!data) return;
    const apply = () => applyLook(data);
    apply();
    rememberLook(data);
    setTimeZone(data.time_zone ?? undefined);
    const keys = { singleKeys: data.single_keys, sendKey: data.send_key };
    useShortcutRegistry.setState(keys);
    rememberKeys(keys);
    darkDevice.addEventListener('change', apply);
    return () => darkDevice.removeEventListener('change', apply);
  }, [data]);
}

/** Changes some of them: at once in the page, then on the server. What others set meanwhile stays. */
export async function changePreferences(changes: Partial<Preferences>): Promise<void> {
  const before = queryClient.getQueryData(preferencesQuery.queryKey);
  if (before) queryClient.setQueryData(preferencesQuery.queryKey, { ...before, ...changes });
  try {
    const latest = await personClient.preferences.get();
    const stored = await personClient.preferences.set({ ...latest, ...changes });
    queryClient.setQueryData(preferencesQuery.queryKey, stored);
  } catch (error) {
    if (before) queryClient.setQueryData(preferencesQuery.queryKey, before);
    sayFailure(error, () => void changePreferences(changes));
  }
}
