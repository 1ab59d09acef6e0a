import type { ItemOf } from '@atrium/sdk';
import { MoreHorizontal, PiggyBank } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useClient, useMay } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { sayCost, sayNumber } from '../../lib/numbers.ts';
import { sayMoment } from '../../lib/time.ts';
import { adminTexts } from '../../text/admin/frame.ts';
import { usageTexts as words } from '../../text/admin/usage.ts';
import { Chip } from '../../ui/chip.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { usePaged } from '../shared/paged.tsx';
import { Card } from '../shared/section-page.tsx';
import { Named, Table } from '../shared/table.tsx';
import { useRefresh } from '../shared/use-admin.ts';
import { Meter } from './meter.tsx';

const BudgetDialog = lazyPart(() => import('./budget-dialog.tsx').then((file) => ({ default: file.BudgetDialog })));
export type Budget = ItemOf<'budgets.list'>;
const tones = { ok: 'accent', warned: 'warn', reached: 'bad' } as const;
const chipTones = { ok: 'ok', warned: 'warn', reached: 'bad' } as const;

/** The budgets with what is used of them in the present period. */
export function Budgets() {
  const client = useClient();
  const isOrganization = useMay()('org:admin');
  const { list, more } = usePaged(['budgets'], (page) => client.budgets.list({ page, size: 50 }));
  const { refresh } = useRefresh('budgets');
  const [changed, setChanged] = useState<Budget>();
  const [removed, setRemoved] = useState<Budget>();
  return (
    <Card title={words.budgets} help={words.budgetsHelp}>
      <Loaded query={list}>
        {(budgets) =>
          budgets.length === 0 ? (
            <EmptyState icon={<PiggyBank size={20} aria-hidden />} {...words.none} className="py-8" />
          ) : (
            <Table
              label={words.budgets}
              rows={budgets}
              keyOf={(budget) => budget.id}
              columns={[
                {
                  label: words.name,
                  isName: true,
                  cell: (budget) => (
                    <Named name={budget.name} below={words.scopes[budget.scope]}>
                      {budget.set_by_organization && !isOrganization && <Chip>{words.byOrganization}</Chip>}
                    </Named>
                  ),
                },
                { label: words.used, cell: (budget) => <Used budget={budget} /> },
                {
                  label: words.state,
                  cell: ({ state }) => (
                    <Chip tone={chipTones[state]} dot>
                      {words.states[state]}
                    </Chip>
                  ),
                },
                { label: words.until, cell: ({ period_end }) => sayMoment(period_end) },
                {
                  label: adminTexts.more(''),
                  isBare: true,
                  cell: (budget) => {
                    const refused = budget.set_by_organization && !isOrganization && words.mayNot;
                    return (
                      <Menu
                        trigger={
                          <IconButton label={adminTexts.more(budget.name)} icon={<MoreHorizontal size={16} />} />
                        }
                        groups={[
                          [{ label: words.change, refused, onSelect: () => setChanged(budget) }],
                          [{ label: words.remove, danger: true, refused, onSelect: () => setRemoved(budget) }],
                        ]}
                      />
                    );
                  },
                },
              ]}
            />
          )
        }
      </Loaded>
      {more}
      <Suspense>{changed && <BudgetDialog budget={changed} onClose={() => setChanged(undefined)} />}</Suspense>
      {removed && (
        <Confirm
          open
          onClose={() => setRemoved(undefined)}
          title={words.removeTitle(removed.name)}
          help={words.removeHelp}
          action={words.removeAction}
          onConfirm={async () => {
            await client.budgets.delete(removed.id);
            await refresh();
          }}
        />
      )}
    </Card>
  );
}

/** Money and tokens, whichever are limited. */
function Used({ budget }: { budget: Budget }) {
  const { max_cost, max_tokens, used, state, period } = budget;
  const lines = [
    ...(max_cost === null
      ? []
      : [{ part: used.cost / max_cost, text: words.ofCost(sayCost(used.cost), sayCost(max_cost)) }]),
    ...(max_tokens === null
      ? []
      : [{ part: used.tokens / max_tokens, text: words.ofTokens(sayNumber(used.tokens), sayNumber(max_tokens)) }]),
  ];
  return (
    <span className="flex min-w-0 flex-1 flex-col gap-1 phone:min-w-56">
      {lines.map(({ part, text }) => (
        <span
          key={text}
          className="flex items-center gap-2.5 max-phone:flex-col-reverse max-phone:items-stretch max-phone:gap-1"
        >
          <Meter part={part || 0} label={text} tone={tones[state]} />
          <span className="num flex-none phone:w-40 phone:text-right">
            {text} <span className="text-text-3">{words.perPeriod[period]}</span>
          </span>
        </span>
      ))}
    </span>
  );
}
