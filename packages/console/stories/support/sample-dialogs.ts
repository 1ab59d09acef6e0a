import type { Page } from 'playwright-core';
import type { State } from './sample-states.ts';

/** Presses buttons one after the other; menus open with the one, their entries are the next. */
const pressing =
  (...names: (string | RegExp)[]) =>
  async (page: Page) => {
    for (const name of names) {
      const button = page.getByRole('button', { name }).or(page.getByRole('menuitem', { name }));
      await button.first().press('Enter', { timeout: 4000 });
    }
    await page.getByRole('dialog').first().waitFor({ timeout: 4000 });
  };

/** Dialogs that make, import, share and delete, each over its page. */
export function dialogStates(
  w: string,
  ids: { agent: string; base: string; table: string; flow: string; set: string },
): Record<string, State> {
  const at = (path: string) => `/w/${w}/${path}`;
  return {
    'dialog-agent-new': { path: at('agents'), reach: pressing('New agent') },
    'dialog-agent-import': { path: at('agents'), reach: pressing('Import') },
    'dialog-agent-delete': { path: at('agents'), reach: pressing('More for HR Helper', 'Delete') },
    'dialog-base-new': { path: at('knowledge'), reach: pressing('New knowledge base') },
    'dialog-base-delete': { path: at('knowledge'), reach: pressing('More for Handbook', 'Delete') },
    'dialog-site-new': { path: at(`knowledge/${ids.base}/sites`), reach: pressing('Add a web site') },
    'dialog-table-new': { path: at('tables'), reach: pressing('New table') },
    'dialog-table-delete': { path: at('tables'), reach: pressing('More for Orders', 'Delete') },
    'dialog-column-new': { path: at(`tables/${ids.table}/columns`), reach: pressing('Add column') },
    'dialog-workflow-new': { path: at('workflows'), reach: pressing('New workflow') },
    'dialog-workflow-import': { path: at('workflows'), reach: pressing('Import') },
    'dialog-workflow-delete': { path: at('workflows'), reach: pressing('More for Refund flow', 'Delete') },
    'dialog-workflow-run': { path: at(`workflows/${ids.flow}`), reach: pressing(/^Run$/) },
    'dialog-step-new': { path: at(`workflows/${ids.flow}`), reach: pressing('Add a step') },
    'dialog-variable-new': { path: at('resources/variables'), reach: pressing('New variable') },
    'dialog-variable-delete': { path: at('resources/variables'), reach: pressing('More for shop_address', 'Delete') },
    'dialog-server-new': { path: at('resources/connections'), reach: pressing('Add a server') },
    'dialog-webhook-new': { path: at('resources/webhooks'), reach: pressing('New webhook') },
    'dialog-evaluation-new': { path: at('evaluations'), reach: pressing('New set') },
    'dialog-evaluation-delete': {
      path: at(`evaluations/${ids.set}`),
      reach: pressing('More for Before we publish', 'Delete'),
    },
    'dialog-case-new': { path: at(`evaluations/${ids.set}?view=cases`), reach: pressing('Add a case') },
    'dialog-role-new': { path: at('admin/roles'), reach: pressing('Make a role') },
    'dialog-role-give': { path: at('admin/roles'), reach: pressing('More for Analyst', 'Give to a person') },
    'dialog-invite': { path: at('admin/people'), reach: pressing('Invite a person') },
    'dialog-member-remove': { path: at('admin/people'), reach: pressing('More for Ines Vidal', /^Remove from/) },
    'dialog-key-new': { path: at('admin/keys'), reach: pressing('Make a key') },
    'dialog-key-revoke': { path: at('admin/keys'), reach: pressing('More for Ticket system', 'Revoke') },
    'dialog-provider-new': { path: at('admin/models'), reach: pressing('Add a provider') },
    'dialog-budget-new': { path: at('admin/usage'), reach: pressing('Set a budget') },
    'dialog-workspace-new': { path: at('admin/workspaces'), reach: pressing('Make a workspace') },
    'dialog-workspace-delete': { path: at('admin/workspaces'), reach: pressing('More for Sales', 'Delete') },
    'dialog-palette': { path: at('inbox'), reach: (page) => page.keyboard.press('Control+k') },
    'dialog-shortcuts': { path: at('agents'), reach: (page) => page.keyboard.press('?') },
  };
}
