/** Mutants that no caller can tell from the program. They are counted apart. */
export interface Equivalent {
  file: string;
  operator: string;
  /** The line without the change. */
  before: string;
  reason: string;
}

export const equivalents: readonly Equivalent[] = [
  {
    file: 'packages/server/src/features/usage/service.ts',
    operator: 'number plus one',
    before: 'const lookAgain = () => 20 + Math.random() * 80;',
    reason: 'A wait between 20 and 100 ms before the next look at an account; one millisecond more of its random part.',
  },
  {
    file: 'packages/server/src/features/budgets/call-budgets.ts',
    operator: 'number plus one',
    before: 'if (Date.now() < alive_until - leaseSeconds * 500) return undefined;',
    reason: 'The lease of a node is renewed 60 ms earlier of 30 s.',
  },
  {
    file: 'packages/server/src/db/notifier.ts',
    operator: 'drop call',
    before: 'lost();',
    reason: "Destroying the connection emits its 'end', whose listener calls lost() as well.",
  },
  {
    file: 'packages/server/src/features/people/scim/tokens.ts',
    operator: 'empty text filled',
    before: "...{ tenant_id: found.tenant_id, workspace_id: '', home_workspace_id: '', tenant_admin: false },",
    reason: 'Operations of SCIM read the organization alone; no statement is given this workspace.',
  },
  {
    file: 'packages/server/src/features/audit/verify-chains.ts',
    operator: 'drop call',
    before: 'await yieldToEventLoop();',
    reason: 'It lets other work run between two chains; the verdict is the same.',
  },
  {
    file: 'packages/server/src/features/budgets/call-budgets.ts',
    operator: 'number plus one',
    before: 'for (let pause = 20; ; pause = Math.min(250, pause * 1.5)) {',
    reason: 'The wait before the next look at a budget, of 20 to 250 ms, grows a little faster.',
  },
  {
    file: 'packages/server/src/lib/timetable/cron.ts',
    operator: 'empty text filled',
    before: "const [minute = '', hour = '', day = '', , weekday = ''] = fields;",
    reason: 'There are five fields here: the defaults are for the compiler.',
  },
  {
    file: 'packages/server/src/lib/ids.ts',
    operator: 'condition true',
    before: 'if (used + 8 > pool.length) {',
    reason: 'Random bytes are drawn for each id instead of for many at once.',
  },
  {
    file: 'packages/server/src/features/pii/recognisers/ip-address.ts',
    operator: 'condition false',
    before: "if (run.length < 2 || run.length > 60 || run.indexOf(':') === run.lastIndexOf(':')) continue;",
    reason: 'isIPv6 refuses such runs as well; the line spares its call.',
  },
  {
    file: 'packages/server/src/features/budgets/budget-period.ts',
    operator: 'drop call',
    before: 'if (zones.size >= mostZones) zones.clear();',
    reason: 'It bounds the memory of a cache; offsets are computed again in either case.',
  },
  {
    file: 'packages/server/src/features/roles/service.ts',
    operator: 'empty text filled',
    before: "const updated = await uniquely(patch.name ?? '', () =>",
    reason: 'Only a role that gets a name can meet another one of that name.',
  },
];
