import type { ProviderHealth } from '@atrium/contract/models/schema.ts';

/** What is known of the calls of an organization: by provider, and which models fail. */
export interface CallsOfProviders {
  providers: readonly {
    name: string;
    calls: number;
    failed: number;
    recent_calls: number;
    recent_ms: number | null;
    usual_ms: number | null;
  }[];
  failing: readonly { model: string; failing_since: string }[];
}

/** Fewer calls say nothing about the speed of a provider. */
const enoughCalls = 5;
const noCalls = { calls: 0, failed: 0, recent_calls: 0, recent_ms: null, usual_ms: null };

type Figures = Omit<CallsOfProviders['providers'][number], 'name'>;
const isSlow = ({ recent_calls, recent_ms, usual_ms }: Figures) =>
  recent_calls >= enoughCalls &&
  recent_ms !== null &&
  usual_ms !== null &&
  recent_ms > usual_ms * 2 &&
  recent_ms > usual_ms + 1000;

/** How each provider has answered lately, in the order in which they are given. */
export function healthOf(
  providers: readonly { id: string; name: string; enabled: boolean }[],
  known: CallsOfProviders,
): ProviderHealth[] {
  const all = known.providers.reduce((sum, { calls }) => sum + calls, 0);
  return providers.map(({ id, name, enabled }) => {
    const figures = known.providers.find((provider) => provider.name === name) ?? noCalls;
    const failing = known.failing.filter(({ model }) => model.startsWith(`${name}/`));
    const since = failing.map(({ failing_since }) => failing_since).sort()[0] ?? null;
    const state = () => {
      if (!enabled) return 'off';
      if (failing.length > 0) return 'failing';
      if (figures.calls === 0) return 'unused';
      return isSlow(figures) ? 'slow' : 'ok';
    };
    return {
      ...{ provider_id: id, name, state: state(), failing_since: since },
      failing_models: failing.map(({ model }) => model),
      ...{ calls: figures.calls, failed: figures.failed, share: all === 0 ? 0 : figures.calls / all },
      first_token_ms: figures.recent_ms ?? figures.usual_ms,
      usual_first_token_ms: figures.usual_ms,
    };
  });
}
