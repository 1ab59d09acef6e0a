import type { ItemOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { sayDuration, sayPercent } from '../../lib/numbers.ts';
import { sayMoment } from '../../lib/time.ts';
import { overviewTexts as words } from '../../text/admin/overview.ts';
import { cx } from '../../ui/cx.ts';
import { OverviewCard, TwoLines } from './overview-card.tsx';

type ProviderHealth = ItemOf<'providers.health'>;
const urgency = ['failing', 'slow', 'ok', 'unused', 'off'];

/** How the providers have answered lately, those that fail first. */
export function useProviderHealth(enabled: boolean) {
  const client = useClient();
  const { id } = useWorkspace();
  return useQuery({
    queryKey: [id, 'providers', 'health'],
    queryFn: async () =>
      (await client.providers.health()).sort((a, b) => urgency.indexOf(a.state) - urgency.indexOf(b.state)),
    enabled,
    staleTime: 30_000,
  });
}

export function ProviderCard() {
  const client = useClient();
  const { id } = useWorkspace();
  const health = useProviderHealth(true);
  const providers = useQuery({ queryKey: [id, 'providers'], queryFn: () => client.providers.list() });
  const modelsOf = (provider: string) =>
    words.models(providers.data?.find((known) => known.id === provider)?.models.length ?? 0);
  return (
    <OverviewCard
      title={words.providers}
      query={health}
      none={words.noProviders}
      to={{ section: 'models', label: words.toModels }}
      keyOf={({ provider_id }) => provider_id}
    >
      {(provider) => (
        <>
          <TwoLines
            name={provider.name}
            below={
              provider.calls > 0
                ? words.callsOf(modelsOf(provider.provider_id), sayPercent(provider.share))
                : words.noCalls(modelsOf(provider.provider_id))
            }
          />
          <State provider={provider} />
          <span
            className="num w-12 flex-none text-right text-dense text-text-2 max-phone:hidden"
            title={words.firstWord}
          >
            {provider.first_token_ms === null ? '–' : sayDuration(provider.first_token_ms)}
          </span>
        </>
      )}
    </OverviewCard>
  );
}

const tones = { off: 'text-text-2', unused: 'text-text-2', ok: 'text-text-2', slow: 'text-warn', failing: 'text-bad' };
const dots = { off: 'bg-control', unused: 'bg-control', ok: 'bg-ok', slow: 'bg-warn', failing: 'bg-bad' };

function State({ provider }: { provider: ProviderHealth }) {
  const { state, failing_since, failing_models, usual_first_token_ms } = provider;
  const text =
    state === 'failing'
      ? words.states.failing(sayMoment(failing_since ?? 0))
      : state === 'slow'
        ? words.states.slow(sayDuration(usual_first_token_ms ?? 0))
        : words.states[state];
  return (
    <span
      className={cx('flex items-center gap-1.5 text-dense', tones[state])}
      title={failing_models.length > 0 ? failing_models.join(', ') : undefined}
    >
      {state === 'failing' ? (
        <TriangleAlert size={14} aria-hidden className="flex-none" />
      ) : (
        <span aria-hidden className={cx('size-2 flex-none rounded-full', dots[state])} />
      )}
      {text}
    </span>
  );
}
