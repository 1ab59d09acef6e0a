import type { Preferences } from '@atrium/contract/preferences/schema.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { personClient } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { sayFailure } from '../ui/toast.tsx';
import { setLanguage } from './numbers.ts';
import { rememberKeys, useShortcutRegistry } from './shortcuts.ts';
import { setTimeZone } from './time.ts';

export const preferencesQuery = queryOptions({
  queryKey: ['preferences'],
  queryFn: async () => withPending(await personClient.preferences.get()),
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
    setLanguage(data.language);
    const keys = { singleKeys: data.single_keys, sendKey: data.send_key };
    useShortcutRegistry.setState(keys);
    rememberKeys(keys);
    darkDevice.addEventListener('change', apply);
    return () => darkDevice.removeEventListener('change', apply);
  }, [data]);
}

/** The zone that the person chose, or that of the device: for pages whose days depend on it. */
export function useTimeZone(): string {
  const { data } = useQuery(preferencesQuery);
  return data?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Changes that the page shows and the server has not answered yet, and what it has without them. */
let pending: Partial<Preferences>[] = [];
let confirmed: Preferences | undefined;
let storing: Promise<void> = Promise.resolve();

function withPending(stored: Preferences): Preferences {
  confirmed = stored;
  return Object.assign({}, stored, ...pending);
}

function show(): void {
  if (!confirmed) return;
  // An answer that is on its way may be older.
  void queryClient.cancelQueries({ queryKey: preferencesQuery.queryKey });
  queryClient.setQueryData(preferencesQuery.queryKey, withPending(confirmed));
}

/** What others set meanwhile stays. */
async function store(changes: Partial<Preferences>): Promise<void> {
  try {
    const latest = await personClient.preferences.get();
    confirmed = await personClient.preferences.set({ ...latest, ...changes });
  } catch (error) {
    sayFailure(error, () => void changePreferences(changes));
  }
  pending = pending.filter((one) => one !== changes);
  show();
}

/** Changes some of them: at once in the page, then on the server, one after the other. */
export function changePreferences(changes: Partial<Preferences>): Promise<void> {
  if (pending.length === 0) confirmed = queryClient.getQueryData(preferencesQuery.queryKey);
  pending.push(changes);
  show();
  storing = storing.then(() => store(changes));
  return storing;
}
