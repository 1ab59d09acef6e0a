import type { Page } from 'playwright-core';
import type { State } from './sample-states.ts';

const nothing = '00000000-0000-4000-8000-000000000000';

/** Answers requests for these records as a server that is broken, and loads the page again. */
const breaking = (pattern: string) => async (page: Page) => {
  const json = { detail: 'The database does not answer', code: 'internal_error' };
  await page.route(pattern, (route) =>
    route.fulfill({ status: 500, json, headers: { 'x-request-id': '0198c5a2-6f00-7000-8000-00000000abcd' } }),
  );
  await page.reload();
  await page.getByRole('alert').first().waitFor({ timeout: 8000 });
};

/** Holds requests for these records back: the page shows the shape of what comes. */
const holding = (pattern: string) => async (page: Page) => {
  await page.route(pattern, () => {});
  await page.reload();
  await page.getByText('Loading').first().waitFor({ state: 'attached', timeout: 8000 });
};

/** Pages of a workspace in which nothing was done yet, of records that are gone, of people who may not, and of a broken server. */
export function faultStates(w: string, empty: string): Record<string, State> {
  const areas = [
    ...['agents', 'workflows', 'knowledge', 'tables', 'runs', 'insights', 'evaluations', 'inbox'],
    ...['resources/files', 'resources/variables', 'resources/connections', 'resources/sandboxes'],
    ...['resources/webhooks', 'admin/keys', 'admin/usage'],
  ];
  const named = (kind: string, area: string) => `${kind}-${area.replace('/', '-')}`;
  const gone = ['agents', 'workflows', 'knowledge', 'tables', 'runs', 'evaluations'];
  const refused = [
    'agents',
    'workflows',
    'knowledge',
    'tables',
    'runs',
    'insights',
    'admin/people',
    'resources/variables',
  ];
  const broken = {
    agents: 'agents',
    runs: 'runs',
    tables: 'tables',
    'admin/people': 'admin/groups',
    insights: 'analytics',
  };
  return {
    ...Object.fromEntries(areas.map((area) => [named('empty', area), { path: `/w/${empty}/${area}` }])),
    ...Object.fromEntries(gone.map((area) => [named('gone', area), { path: `/w/${w}/${area}/${nothing}` }])),
    'gone-agent-build': { path: `/w/${w}/agents/${nothing}/build` },
    'gone-workspace': { path: `/w/${nothing}/agents` },
    ...Object.fromEntries(
      refused.map((area): [string, State] => [named('refused', area), { path: `/w/${w}/${area}`, as: 'reader' }]),
    ),
    ...Object.fromEntries(
      Object.entries(broken).map(([area, records]): [string, State] => [
        ...([named('broken', area), { path: `/w/${w}/${area}`, reach: breaking(`**/v1/${records}**`) }] as const),
      ]),
    ),
    'loading-agents': { path: `/w/${w}/agents`, reach: holding('**/v1/agents?**') },
    'found-none-runs': { path: `/w/${w}/runs?status=stopped` },
    'found-none-tables': { path: `/w/${w}/tables?search=nothing-like-it` },
    'found-none-documents': { path: `/w/${w}/knowledge?search=nothing-like-it` },
  };
}
