import type { BodyOf } from '@atrium/sdk';
import { AtriumError } from '@atrium/sdk';
import { useEffect, useState } from 'react';
import { describeFailure } from '../api/failures.ts';
import { useClient } from '../api/session.ts';
import { welcomeTexts } from '../text/welcome.ts';

export type ProviderInput = BodyOf<'providers.create'>;
export type ProviderTest =
  | { state: 'idle' }
  | { state: 'trying' }
  | { state: 'answers'; ms: number; models: readonly string[] }
  | { state: 'failed'; reason: string };

/** How long an address has to answer. */
const patience = 3000;

/** Tries an account while it is typed, half a second after the last key. Nothing is stored by it. */
export function useProviderTest(input: ProviderInput | undefined): ProviderTest {
  const client = useClient();
  const [test, setTest] = useState<ProviderTest>({ state: 'idle' });
  const key = input && JSON.stringify(input);
  useEffect(() => {
    setTest({ state: 'idle' });
    if (!key) return;
    const leaving = new AbortController();
    const ask = async () => {
      setTest({ state: 'trying' });
      const body = JSON.parse(key) as ProviderInput;
      const found = await client.providers
        .try(body, { timeout: patience, maxRetries: 0, signal: leaving.signal })
        .then(({ addresses }): ProviderTest => {
          const [first] = addresses;
          if (!first?.ok) return { state: 'failed', reason: first?.message ?? welcomeTexts.model.noAnswer };
          return { state: 'answers', ms: first.ms, models: first.models };
        })
        .catch((error: unknown): ProviderTest => {
          const isLate = error instanceof AtriumError && error.code === 'timeout';
          const { title, help } = describeFailure(error);
          return { state: 'failed', reason: isLate ? welcomeTexts.model.noAnswerInTime : `${title}. ${help}` };
        });
      if (!leaving.signal.aborted) setTest(found);
    };
    const timer = setTimeout(ask, 500);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [client, key]);
  return test;
}
